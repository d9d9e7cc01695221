import { ConnectionError, ForbiddenUrlError } from '@holdword/net/internal';
import { A2AError, type Task } from '@holdword/protocol';
import { expect, test } from 'vitest';
import { FallbackPeer } from './fallback-peer.ts';
import type { Peer, PeerEvent } from './peer.ts';

const task: Task = { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_COMPLETED' } };
const REFUSED = new ConnectionError('the connection was refused', { sent: false });
const LOST = new ConnectionError('the server closed the connection', { sent: true });

interface Transport {
  open: () => Promise<Peer>;
  calls: () => number;
}

/** A transport that fails while there is an error; a stream with a late failure yields the task first. */
function transport(failure: () => unknown, lateFailure?: unknown): Transport {
  let calls = 0;
  const answer = async (): Promise<Task> => {
    calls += 1;
    if (failure() !== undefined) throw failure();
    return task;
  };
  const stream = async function* (): AsyncGenerator<PeerEvent> {
    yield { event: { task: await answer() } };
    if (lateFailure !== undefined) throw lateFailure;
  };
  const peer: Peer = {
    binding: 'HTTP+JSON',
    version: '0.3',
    send: async () => ({ task: await answer() }),
    stream,
    subscribe: stream,
    get: answer,
    list: () => Promise.reject(new Error('not used')),
    cancel: answer,
    close: () => {},
  };
  return { open: async () => peer, calls: () => calls };
}

function peerOf(...transports: Transport[]): FallbackPeer {
  return new FallbackPeer(transports.map(({ open }) => open));
}

test.each([
  ['a connection that was not made', REFUSED],
  ['an address that must not be called', new ForbiddenUrlError('it is private')],
  ['a version that is not there', new A2AError('VERSION_NOT_SUPPORTED', 'no')],
  ['a method that is not there', new A2AError('METHOD_NOT_FOUND', 'no')],
])('falls back to the next transport after %s, and stays with it', async (_, failure) => {
  const first = transport(() => failure);
  const second = transport(() => undefined);
  const peer = peerOf(first, second);
  expect(await peer.get({ id: 't-1' })).toBe(task);
  expect(await peer.get({ id: 't-1' })).toBe(task);
  expect([first.calls(), second.calls()]).toEqual([1, 2]);
  expect(peer).toMatchObject({ binding: 'HTTP+JSON', version: '0.3' });
});

test.each([
  ['a connection that was lost', LOST],
  ['a refusal', new A2AError('UNAUTHENTICATED', 'no')],
])('does not resend after %s', async (_, failure) => {
  const second = transport(() => undefined);
  const peer = peerOf(
    transport(() => failure),
    second,
  );
  const message = { messageId: 'm', role: 'ROLE_USER' as const, parts: [{ text: 'x' }] };
  await expect(peer.send({ message })).rejects.toBe(failure);
  expect(second.calls()).toBe(0);
});

test('returns to an earlier transport when the current one fails', async () => {
  let down: unknown = REFUSED;
  const first = transport(() => down);
  let secondDown: unknown;
  const second = transport(() => secondDown);
  const peer = peerOf(first, second);
  await peer.get({ id: 't-1' });
  down = undefined;
  secondDown = REFUSED;
  expect(await peer.get({ id: 't-1' })).toBe(task);
  expect(first.calls()).toBe(2);
});

test('reports why each transport failed', async () => {
  const peer = peerOf(
    transport(() => REFUSED),
    transport(() => new ForbiddenUrlError('its host is a local name')),
  );
  await expect(peer.get({ id: 't-1' })).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
    sent: false,
    message:
      "none of the agent's 2 interfaces can be used: the connection was refused; its host is a local name",
  });
});

async function collect(peer: Peer): Promise<number> {
  let count = 0;
  for await (const _ of peer.subscribe({ id: 't-1' })) count += 1;
  return count;
}

test('a rejection is reported as such if nothing else failed', async () => {
  const refused = new ForbiddenUrlError('its host is a local name');
  const peer = peerOf(
    transport(() => refused),
    transport(() => new A2AError('VERSION_NOT_SUPPORTED', 'no')),
  );
  await expect(peer.get({ id: 't-1' })).rejects.toBe(refused);
});

test('a stream falls back before its first event, never after it', async () => {
  const spare = transport(() => undefined);
  expect(
    await collect(
      peerOf(
        transport(() => REFUSED),
        spare,
      ),
    ),
  ).toBe(1);
  await expect(
    collect(
      peerOf(
        transport(() => undefined, REFUSED),
        spare,
      ),
    ),
  ).rejects.toBe(REFUSED);
  expect(spare.calls()).toBe(1);
});
