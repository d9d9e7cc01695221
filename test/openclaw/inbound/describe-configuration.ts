import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sayAndLeave, sendForTask, unique } from '../../e2e/conversation.ts';
import { runOpenClaw } from '../harness/run-openclaw.ts';
import type { InboundStage } from './inbound-stage.ts';
import { pathsOf } from './start-inbound.ts';

const RELOAD_MILLISECONDS = 60_000;

/** What a change to one account does to the others, and what the status says about them. */
export function describeConfiguration(stage: InboundStage): void {
  describe('a change of the configuration', () => {
    test('of one account leaves the tasks of another in memory, whose status shows its last message', async () => {
      const word = unique('kept');
      stage.model.when(word, (answer) => answer.text('Kept.'));
      const client = await stage.ada('1.0');
      const { id } = await sendForTask(client, sayAndLeave(`be ${word}`));
      const state = async (): Promise<string> => (await client.get({ id })).status.state;
      await expect.poll(state).toBe('TASK_STATE_COMPLETED');

      const { home, url } = stage.gateway;
      const patch = join(home.folder, 'label.json5');
      await writeFile(patch, `{ channels: { a2a: { accounts: { files: { label: '${word}' } } } } }`);
      expect((await runOpenClaw(home, 'config', 'patch', '--file', patch)).code).toBe(0);
      const isReloaded = async (): Promise<boolean> => {
        const response = await fetch(`${url}${pathsOf('files').agentCardPath}`);
        return (await response.text()).includes(word);
      };
      await expect.poll(isReloaded, { timeout: RELOAD_MILLISECONDS, interval: 200 }).toBe(true);
      await expect
        .poll(() => state().catch(String), { timeout: RELOAD_MILLISECONDS })
        .toBe('TASK_STATE_COMPLETED');

      const { stdout } = await runOpenClaw(home, 'channels', 'status', '--json');
      const { channelAccounts } = JSON.parse(stdout) as {
        channelAccounts: { a2a: { accountId: string; lastInboundAt: number | null }[] };
      };
      const peers = channelAccounts.a2a.find(({ accountId }) => accountId === 'peers');
      expect(peers?.lastInboundAt).toBeGreaterThan(Date.now() - 3_600_000);
    });
  });
}
