import { expect, test } from 'vitest';
import { noopLog } from '../../log.ts';
import { GatewayLink } from './gateway-connection.ts';

/** Nothing listens there, and nothing can. */
const NOWHERE = { url: 'ws://127.0.0.1:1', token: undefined, isLocal: true };

test('concurrent callers share one attempt; the next caller tries again', async () => {
  let looked = 0;
  const link = new GatewayLink(async () => {
    looked += 1;
    return NOWHERE;
  }, noopLog);
  const both = await Promise.allSettled([link.open(), link.open()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(looked).toBe(1);
  await expect(link.open()).rejects.toThrow('The OpenClaw gateway at ws://127.0.0.1:1 is not reachable');
  expect(looked).toBe(2);
  await link.close();
});
