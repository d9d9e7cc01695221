import { expect, test } from 'vitest';
import { openToolFor } from '../testing/open-tool.ts';
import { startPeer } from '@holdword/client/testing';

test('an interface that serves two versions of A2A is listed once', async () => {
  const url = 'https://agent.example/rpc';
  const supportedInterfaces = ['1.0', '0.3'].flatMap((protocolVersion) => [
    { url, protocolBinding: 'JSONRPC', protocolVersion },
    { url: 'https://agent.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion },
  ]);
  const peer = await startPeer({ version: '1.0', card: { supportedInterfaces } });
  const { summary } = await openToolFor(peer.url).call({ action: 'list_targets' });
  expect(summary['targets']).toMatchObject([
    {
      peer_card: {
        preferred_transport: 'JSONRPC',
        additional_interfaces: [
          { transport: 'JSONRPC', url },
          { transport: 'HTTP+JSON', url: 'https://agent.example/rest' },
        ],
      },
    },
  ]);
});
