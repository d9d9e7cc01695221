import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSdkAgent } from '../../e2e/client/start-sdk-agent.ts';
import { startAgent } from '../../support/start-agent.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { TestAgent } from '../../support/test-agent.ts';
import { GatewayChat } from '../harness/gateway-chat.ts';
import { startGateway } from '../harness/gateway.ts';
import { createOpenClawHome } from '../harness/openclaw-home.ts';
import { packedPlugin } from '../harness/packed-plugin.ts';
import { ScriptedModel } from '../harness/scripted-model.ts';
import { warmUp } from '../harness/warm-up.ts';
import { scriptedWork, taughtWork, type PeerAlias, type PeerWork } from './peer-work.ts';

const PEER_TOKEN = 'token-of-the-peer-in-the-tests';
const JSON_RPC = 'JSONRPC';

/** A gateway with the outbound plugin, and one agent of every kind to call. */
export interface OutboundGateway {
  readonly model: ScriptedModel;
  readonly holdword: TestAgent;
  readonly chat: GatewayChat;
  /** Resolves when the agent is ready. */
  workOf(alias: PeerAlias): Promise<PeerWork>;
  /** Kills it, like a crash, and starts it again. */
  killAndStart(): Promise<void>;
  close(): Promise<void>;
}

export async function startOutbound(): Promise<OutboundGateway> {
  const model = await ScriptedModel.start();
  const secrets = await temporaryFolder();
  const tokenFile = join(secrets.path, 'token');
  await writeFile(tokenFile, `${PEER_TOKEN}\n`);
  const holdword = await startAgent();
  const sdk = await openSdkAgent({
    interfaces: [{ binding: JSON_RPC, version: '1.0' }],
    streaming: true,
  });
  const legacySdk = await openSdkAgent({
    interfaces: [{ binding: JSON_RPC, version: '0.3' }],
    streaming: true,
  });
  const other = await createOpenClawHome({
    model,
    configuration: {
      channels: { a2a: { enabled: true, rateLimitPerMinute: 0, peers: { holdword: { token: PEER_TOKEN } } } },
    },
  });
  const { folder } = await packedPlugin('openclaw-outbound');
  const targets = [
    {
      alias: 'holdword',
      baseUrl: holdword.target.baseUrl,
      description: 'Does what it is told.',
      default: true,
    },
    { alias: 'sdk', baseUrl: sdk.origin },
    { alias: 'legacy-sdk', baseUrl: legacySdk.origin },
    {
      alias: 'openclaw',
      baseUrl: other.gatewayUrl.replace(/^ws/, 'http'),
      auth: { type: 'bearer', token: { file: tokenFile } },
    },
  ];
  const home = await createOpenClawHome({
    model,
    configuration: {
      plugins: {
        load: { paths: [folder] },
        entries: { 'openclaw-a2a-outbound': { enabled: true, config: { enabled: true, targets } } },
      },
      // OpenClaw's default: tools are behind a search, except those that must be called directly.
      tools: { toolSearch: { mode: 'tools' }, alsoAllow: ['remote_agent'] },
    },
  });
  const gatesOf = { holdword: holdword.gates, sdk: sdk.script.gates, 'legacy-sdk': legacySdk.script.gates };
  const [first, otherGateway] = await Promise.all([startGateway(home), startGateway(other)]);
  const otherIsWarm = warmUp(other);
  let gateway = first;
  let chat = await GatewayChat.open(home);
  return {
    model,
    holdword,
    async workOf(alias) {
      if (alias !== 'openclaw') return scriptedWork(alias, gatesOf[alias]);
      await otherIsWarm;
      return taughtWork(alias, model);
    },
    get chat() {
      return chat;
    },
    async killAndStart() {
      chat.close();
      await gateway.kill();
      gateway = await startGateway(home);
      chat = await GatewayChat.open(home);
    },
    async close() {
      chat.close();
      await otherIsWarm;
      await Promise.all([gateway.kill(), otherGateway.kill()]);
      await Promise.all([holdword.close(), sdk.close(), legacySdk.close(), model.close()]);
      await Promise.all([home.remove(), other.remove(), secrets.remove()]);
    },
  };
}
