import { describe, expect, test } from 'vitest';
import { message, SEND } from '../testing/answers.ts';
import { openToolFor } from '../testing/open-tool.ts';
import { startPeer } from '../testing/start-peer.ts';

describe('the route of a request', () => {
  const metadata = { 'urn:holdword:a2a:route:v1': { hops: 2, origins: ['a', 'b'] } };

  test('is sent with its message', async () => {
    const { url, calls } = await startPeer({ answer: () => ({ result: message('hi') }) });
    await openToolFor(url).call({ ...SEND, metadata });
    expect(calls[0]?.params).toMatchObject({
      message: {
        metadata: { 'urn:holdword:a2a:route:v1': { hops: 3, origins: ['a', 'b', expect.any(String)] } },
      },
    });
  });

  test('ends at the limit', async () => {
    const { url, calls } = await startPeer();
    const result = await openToolFor(url, { policy: { maxHops: 2 } }).call({ ...SEND, metadata });
    expect(result.error).toMatchObject({
      code: 'TARGET_RESOLUTION_ERROR',
      details: { reason: 'hop_limit_reached' },
    });
    expect(calls).toEqual([]);
  });
});
