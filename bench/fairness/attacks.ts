import { createServer } from 'node:http';
import { request as httpRequest } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { say, sayAndLeave } from '../../test/e2e/conversation.ts';
import type { Driver, DriverTarget } from '../../test/support/drivers/driver.ts';

/** What an attacker has: its own key, over the binding that it uses. */
export interface Attacker {
  readonly driver: Driver;
  readonly target: DriverTarget;
  readonly token: string;
  /** Is told of each call that was accepted or refused. */
  readonly count: (outcome: 'accepted' | 'refused') => void;
}

/** Prepares the attack, and resolves with the function that begins what goes on until the process ends. */
export type Attack = (attacker: Attacker) => Promise<() => void>;

/** More than all turns that run and wait. */
const MANY_TURNS = 1_100;
const AT_ONCE = 8;
const LARGE_TEXT = 'x'.repeat(900_000);

/** Turns that never end, until no more are accepted; then it keeps trying. */
const longTurns: Attack = async (attacker) => {
  const send = () => isAccepted(attacker, () => attacker.driver.send(sayAndLeave('wait 3600')));
  for (let sent = 0; sent < MANY_TURNS; sent += AT_ONCE) {
    const accepted = await Promise.all(Array.from({ length: AT_ONCE }, send));
    if (accepted.includes(false)) break;
  }
  return () => repeatedly(2, send);
};

/** Messages at a rate that the machine can bear: CPU time is not divided between callers. */
const flood: Attack = async (attacker) => () =>
  repeatedly(50, () => isAccepted(attacker, () => attacker.driver.send(say('echo flood'))));

/** As much as one page can hold, again and again. */
const giantPages: Attack = async (attacker) => {
  await storeLargeTasks(attacker, 10);
  return () => repeatedly(1, () => isAccepted(attacker, () => attacker.driver.list(GIANT_PAGE)));
};

const GIANT_PAGE = { pageSize: 100, includeArtifacts: true, historyLength: 1_000 };

/** Connections that ask for such a page and read nothing of it. */
const slowReaders: Attack = async (attacker) => {
  await storeLargeTasks(attacker, 10);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks', params: GIANT_PAGE });
  for (let opened = 0; opened < 10; opened += 1) {
    const sent = httpRequest(attacker.target.jsonRpcUrl, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${attacker.token}`,
        'content-type': 'application/json',
        'a2a-version': '1.0',
      },
    });
    // Without a listener for data the response is not read.
    sent.on('response', () => attacker.count('accepted'));
    sent.on('error', () => {});
    sent.end(body);
    await pause(20);
  }
  return () => {};
};

/** Connections to both ports that begin a request and say no more. Those that the server closes are opened again. */
const silentConnections: Attack = async ({ target, count }) => {
  const { hostname, port } = new URL(target.jsonRpcUrl);
  const [grpcHost = '', grpcPort = ''] = splitAddress(target.grpcAddress);
  for (let opened = 0; opened < 100; opened += 1) {
    stayConnected(hostname, Number(port), 'POST /a2a/jsonrpc HTTP/1.1\r\nhost: agent\r\n', count);
    stayConnected(grpcHost, Number(grpcPort), 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', count);
    await pause(5);
  }
  return () => {};
};

function splitAddress(address: string): string[] {
  const colon = address.lastIndexOf(':');
  return [address.slice(0, colon), address.slice(colon + 1)];
}

function stayConnected(host: string, port: number, text: string, count: Attacker['count']): void {
  const socket: Socket = connect(port, host, () => {
    count('accepted');
    socket.write(text);
  });
  // A socket that is not read does not notice that it was closed.
  socket.resume();
  socket.on('error', () => {});
  socket.on('close', () => setTimeout(() => stayConnected(host, port, text, count), 1_000));
}

/** Tasks whose notifications go to receivers that never answer, on many ports. */
const slowWebhooks: Attack = async (attacker) => {
  const ports: number[] = [];
  for (let opened = 0; opened < 20; opened += 1) {
    const receiver = createServer(() => {});
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    ports.push((receiver.address() as AddressInfo).port);
  }
  let sent = 0;
  const send = () => {
    const url = `http://127.0.0.1:${ports[(sent += 1) % ports.length]}/`;
    const configuration = { returnImmediately: true, taskPushNotificationConfig: { url } };
    return isAccepted(attacker, () => attacker.driver.send(say('echo notify', {}, { configuration })));
  };
  for (let first = 0; first < 100; first += 1) await send();
  return () => repeatedly(5, send);
};

export const ATTACKS: readonly { readonly attack: Attack; readonly callers: number }[] = [
  { attack: longTurns, callers: 4 },
  { attack: flood, callers: 4 },
  { attack: giantPages, callers: 3 },
  { attack: slowReaders, callers: 3 },
  { attack: silentConnections, callers: 3 },
  { attack: slowWebhooks, callers: 3 },
];

async function storeLargeTasks(attacker: Attacker, count: number): Promise<void> {
  for (let stored = 0; stored < count; stored += 1)
    await isAccepted(attacker, () => attacker.driver.send(say(`echo ${LARGE_TEXT}`)));
}

async function isAccepted({ count }: Attacker, call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    count('accepted');
    return true;
  } catch {
    count('refused');
    return false;
  }
}

/** At a fixed rate, so that attackers cost the machine the same whatever the server does. At most as many wait at once. */
function repeatedly(perSecond: number, call: () => Promise<unknown>): void {
  let open = 0;
  setInterval(() => {
    if (open >= perSecond) return;
    open += 1;
    void call().finally(() => (open -= 1));
  }, 1_000 / perSecond);
}
