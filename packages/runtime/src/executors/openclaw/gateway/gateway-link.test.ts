import { expect, test } from 'vitest';
import { noopLog } from '../../../log.ts';
import { GatewayLink } from './gateway-link.ts';

/** Nothing listens there, and nobody else may. */
const NOWHERE = { url: 'ws://127.0.0.1:1', token: undefined, isLocal: true };

test('those who want the connection at once share one attempt; the next one looks anew', async () => {
  let looked = 0;
  const link = new GatewayLink(async () => {
    looked += 1;
    return NOWHERE;
  }, noopLog);
  const both = await Promise.allSettled([link.open(), link.open()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(looked).toBe(1);
  await expect(link.open()).rejects.toThrow('The OpenClaw gateway cannot be reached');
  expect(looked).toBe(2);
  await link.close();
});
