import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VERSIONS } from '../../support/drivers/driver.ts';
import { describeIsolation } from './describe-isolation.ts';
import { describeOperations } from './describe-operations.ts';
import { describeOutbound } from './describe-outbound.ts';
import { describeRestart } from './describe-restart.ts';
import { describeTurns } from './describe-turns.ts';
import { inboundStage } from './inbound-stage.ts';
import { AGENTS, PEERS } from './peers.ts';
import { pathsOf } from './start-inbound.ts';

describe('OpenClaw by the inbound plugin', () => {
  const auth = { peers: PEERS };
  const stage = inboundStage({
    accounts: ({ folder }) => ({
      default: { auth },
      files: { ...pathsOf('files'), agentStyle: 'task-generating', features: { files: true }, auth },
      durable: {
        ...pathsOf('durable'),
        agentStyle: 'task-generating',
        taskStore: { kind: 'sqlite', path: join(folder, 'tasks') },
        auth,
      },
    }),
    configuration: { agents: AGENTS },
  });

  test('one card serves both versions and says what there is', async () => {
    const { url } = stage.gateway;
    const card = await fetch(`${url}/.well-known/agent-card.json`);
    expect(await card.json()).toMatchObject({
      capabilities: { streaming: true, pushNotifications: false },
      defaultInputModes: ['text/plain', 'application/json'],
      defaultOutputModes: ['text/plain', 'application/json'],
      supportedInterfaces: expect.arrayContaining([
        expect.objectContaining({ url: `${url}/a2a/jsonrpc`, protocolVersion: '1.0' }),
      ]) as unknown,
      url: `${url}/a2a/jsonrpc`,
    });
    const rest = await fetch(`${url}/a2a/rest/tasks`, { headers: { 'a2a-version': '1.0' } });
    expect(rest.status).toBe(404);
  });

  for (const version of VERSIONS) {
    describeOperations(stage, version);
    describeTurns(stage, version);
    describeIsolation(stage, version);
  }
  describeOutbound(stage);
  describeRestart(stage);
});
