import { join } from 'node:path';
import { openSqliteStore } from '@holdword/store';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { unique } from '../../e2e/conversation.ts';
import { awaitCard } from '../harness/await-card.ts';
import { runOpenClaw } from '../harness/run-openclaw.ts';
import { startChannel } from '../harness/start-channel.ts';
import { pathsOf } from './start-inbound.ts';
import { ADA_KEY, startService, type Service } from './start-service.ts';

describe('an account of a gateway running as a service', () => {
  let service: Service;

  beforeAll(async () => {
    service = await startService();
  });

  afterAll(() => service.close());

  test('shows in channels status why it is blocked, and not that it works', async () => {
    const { home, url } = service;
    const path = join(home.folder, 'occupied');
    const occupant = await openSqliteStore({ folder: path });
    onTestFinished(() => occupant.close());
    const occupied = { publicBaseUrl: url, ...pathsOf('occupied'), taskStore: { kind: 'sqlite', path } };
    const ghost = { publicBaseUrl: url, ...pathsOf('ghost'), defaultAgentId: 'ghost' };
    await service.patchAccounts({ occupied, ghost });
    const statusOf = async (account: string): Promise<string> => {
      const { stdout } = await runOpenClaw(home, 'channels', 'status', '--probe');
      return stdout
        .split('\n')
        .filter((line) => line.includes(account))
        .join('\n');
    };
    await expect
      .poll(() => statusOf('occupied'))
      .toContain(
        `store-in-use: channels.a2a.accounts.occupied.taskStore (${path}) is in use by another process`,
      );
    expect(await statusOf('occupied')).not.toContain('works');
    expect(await statusOf('ghost')).toContain('expected an agent of this gateway (main), found "ghost"');
    expect(await statusOf('default')).toContain(
      'Account "default" is open: anyone who reaches it can talk to the agent',
    );
    const response = await fetch(`${url}/occupied/jsonrpc`, { method: 'POST' });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { code: 'A2A_ACCOUNT_NOT_RUNNING' } });
  });

  test('is stopped during a turn within the time limit of the gateway', async () => {
    const { home, model, url } = service;
    const word = unique('halt');
    service.hangOn(word);
    const task = await service.begin(`please ${word}`, ADA_KEY);
    const params = JSON.stringify({ channel: 'a2a' });
    const stopped = await runOpenClaw(home, 'gateway', 'call', 'channels.stop', '--params', params);
    expect(stopped.code).toBe(0);
    const { stdout } = await runOpenClaw(home, 'channels', 'status', '--json');
    expect(stdout).not.toContain('stop timed out');
    model.when(word, (answer) => answer.text('A whole answer.'));
    await startChannel(home, 'a2a');
    await awaitCard(url);
    // The turn had called no tools, so it runs again.
    await expect
      .poll(() => service.get(task.id, ADA_KEY))
      .toMatchObject({ status: { message: { parts: [{ text: 'A whole answer.' }] } } });
  });
});
