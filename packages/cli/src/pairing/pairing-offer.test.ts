import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { joinOffer } from './join-offer.ts';
import { KeyExchange } from './key-exchange.ts';
import { linkOf, newCode, readInvitation, showCode } from './pairing-code.ts';
import {
  MOST_ATTEMPTS,
  OFFER_MILLISECONDS,
  openOffer,
  type Introduction,
  type Refusal,
} from './pairing-offer.ts';

const CODE = '7K3M9QXA';
const ADA: Introduction = { name: 'ada', url: 'http://127.0.0.1:1', key: 'key-of-ada' };
const BOB: Introduction = { name: 'bob', url: 'http://127.0.0.1:2', key: 'key-of-bob' };

/** Ada's offer, and what it has seen. */
async function startOffer(clock = { now: 0 }) {
  const [met, refused, outcomes]: [Introduction[], Refusal[], unknown[]] = [[], [], []];
  const offer = await openOffer({
    code: CODE,
    host: '127.0.0.1',
    port: 0,
    now: () => clock.now,
    meet: async (other) => {
      met.push(other);
      return { introduction: ADA, outcome: {} };
    },
    finish: async (outcome) => void outcomes.push(outcome),
    refused: (why) => refused.push(why),
  });
  onTestFinished(() => offer.close());
  return { origin: `http://127.0.0.1:${offer.port}`, met, refused, outcomes, clock };
}

test('with the code, each side gets to know the other', async () => {
  const { origin, met, outcomes } = await startOffer();
  const meeting = await joinOffer({ code: CODE, origin }, BOB);
  expect(meeting).toMatchObject({ other: ADA, outcome: {} });
  await meeting.confirm({ problem: 'no route' });
  expect(met).toEqual([BOB]);
  expect(outcomes).toEqual([{ problem: 'no route' }]);
});

test('a wrong code is refused and counted, and after some of them the right one too', async () => {
  const { origin, met, refused } = await startOffer();
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    await expect(joinOffer({ code: newCode(), origin }, BOB)).rejects.toThrow('The code is wrong.');
  }
  await expect(joinOffer({ code: CODE, origin }, BOB)).rejects.toThrow('Too many wrong codes');
  expect(refused).toEqual([...Array<string>(MOST_ATTEMPTS).fill('wrong-code'), 'too-many-attempts']);
  expect(met).toEqual([]);
});

test('a code that was used, and one that is old, are refused and counted', async () => {
  const used = await startOffer();
  await joinOffer({ code: CODE, origin: used.origin }, BOB);
  await expect(joinOffer({ code: CODE, origin: used.origin }, BOB)).rejects.toThrow('was used already');
  expect(used.refused).toEqual(['used']);
  expect(used.met).toHaveLength(1);
  const old = await startOffer();
  old.clock.now = OFFER_MILLISECONDS + 1;
  await expect(joinOffer({ code: CODE, origin: old.origin }, BOB)).rejects.toThrow('too old');
  expect(old.refused).toEqual(['expired']);
  expect(old.met).toEqual([]);
});

interface Overheard {
  readonly path: string;
  readonly sent: Record<string, string>;
  readonly answered: Record<string, string>;
}

/** Somebody between the two sides, who keeps everything that they say. */
async function startEavesdropper(target: string): Promise<{ origin: string; heard: Overheard[] }> {
  const heard: Overheard[] = [];
  const origin = await startServer(async (path, sent) => {
    const answer = await fetch(`${target}${path}`, { method: 'POST', body: sent });
    const answered = await answer.text();
    heard.push({ path, sent: JSON.parse(sent), answered: JSON.parse(answered) });
    return answered;
  });
  return { origin, heard };
}

/** A server that answers every request with a text. Resolves with its origin. */
async function startServer(answer: (path: string, body: string) => Promise<string>): Promise<string> {
  const respond = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.end(await answer(incoming.url ?? '', await readAll(incoming)));
  };
  const server = createServer((incoming, response) => void respond(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function readAll(body: IncomingMessage): Promise<string> {
  return Buffer.concat(await body.toArray()).toString();
}

test('somebody who overhears all of it and gets the code afterwards learns and gains nothing', async () => {
  const { origin, refused } = await startOffer();
  const { origin: between, heard } = await startEavesdropper(origin);
  await (await joinOffer({ code: CODE, origin: between }, BOB)).confirm({});
  expect(heard.map(({ path }) => path)).toEqual(['/pairing/start', '/pairing/introduce', '/pairing/confirm']);
  // Whole texts: three letters such as `ada` stand in random digits by chance.
  expect(JSON.stringify(heard)).not.toMatch(/key-of|7K3M9QXA|127\.0\.0\.1|"(?:ada|bob)"/);

  // With the code, keys can be made, but none of them opens what was said.
  const [started, introduced] = heard;
  const [theirs, ours] = [started?.sent['value'] ?? '', started?.answered['value'] ?? ''];
  for (const [role, value] of [
    ['pair', theirs],
    ['join', ours],
  ] as const) {
    const channel = new KeyExchange(role, CODE).channelWith(value);
    expect(channel).toBeDefined();
    expect(channel?.open(introduced?.sent['sealed'] ?? '')).toBeUndefined();
    expect(channel?.open(introduced?.answered['sealed'] ?? '')).toBeUndefined();
  }
  // Neither the code nor the messages are good for anything now.
  await expect(joinOffer({ code: CODE, origin }, BOB)).rejects.toThrow('was used already');
  const replayed = await fetch(`${origin}/pairing/introduce`, {
    method: 'POST',
    body: JSON.stringify(introduced?.sent),
  });
  expect(replayed.status).toBe(410);
  expect(refused).toEqual(['used', 'used']);
});

test('values that would make the key independent of the code are refused', async () => {
  const { origin, met } = await startOffer();
  const prime = new KeyExchange('join', CODE);
  for (const value of ['0'.repeat(768), `${'0'.repeat(767)}1`, 'f'.repeat(768), 'text']) {
    expect(prime.channelWith(value)).toBeUndefined();
    const answer = await fetch(`${origin}/pairing/start`, {
      method: 'POST',
      body: JSON.stringify({ value }),
    });
    expect(answer.status).toBe(400);
  }
  expect(met).toEqual([]);
});

test('an answer from somebody without the code is not believed', async () => {
  const exchange = new KeyExchange('pair', newCode());
  let other = '';
  const origin = await startServer(async (_path, body) => {
    const { value } = JSON.parse(body) as Record<string, string>;
    other = value ?? other;
    const sealed = exchange.channelWith(other)?.seal({ introduction: ADA, outcome: {} });
    return JSON.stringify(value === undefined ? { sealed } : { id: '1', value: exchange.publicValue });
  });
  await expect(joinOffer({ code: CODE, origin }, BOB)).rejects.toThrow('not from the side that has the code');
});

test('codes are read as people write them, and links too', () => {
  const invitation = { code: CODE, origin: 'http://192.168.1.5:4330' };
  for (const text of [
    '7K3M-9QXA@192.168.1.5:4330',
    '7k3m9qxa@192.168.1.5:4330',
    '7k3m 9qxa@http://192.168.1.5:4330',
    linkOf(invitation),
  ]) {
    expect(readInvitation(text)).toEqual(invitation);
  }
  expect(readInvitation('oIl0-0000@host').code).toBe('01100000');
  expect(showCode(CODE)).toBe('7K3M-9QXA');
  for (const text of [
    '7K3M-9QXA',
    'secret',
    '7K3M@host',
    '7K3M-9QXU@host',
    'http://host/pairing',
    '7K3M-9QXA@',
  ]) {
    expect(() => readInvitation(text)).toThrow(/Expected|A code has/);
  }
});
