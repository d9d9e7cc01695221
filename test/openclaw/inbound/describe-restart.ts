import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isTerminal, RESUME_EXTENSION } from '@parley/protocol';
import { describe, expect, test } from 'vitest';
import { allEvents, outline, say, sayAndLeave, sendForTask, textOf, unique } from '../../e2e/conversation.ts';
import type { StreamedEvent } from '../../support/drivers/driver.ts';
import type { InboundStage } from './inbound-stage.ts';
import { CAREFUL } from './peers.ts';

const DURABLE = { account: 'durable', client: 'raw' } as const;

/** What is left when the gateway is killed. The last tests of a file: sessions of clients end with the gateway. */
export function describeRestart(stage: InboundStage): void {
  describe('a gateway that was killed in the middle of a turn', () => {
    test('has every task, and readers go on where they were', async () => {
      const gate = unique('story');
      stage.model.when(gate, async (answer) => {
        answer.text('Once upon');
        await answer.hang();
      });
      stage.model.when('before', (answer) => answer.text('Kept.'));
      const command = `echo ${gate}`;
      stage.model.when('permission', (answer, { toolResults }) =>
        toolResults.length === 0 ? answer.callTool('exec', { command }) : answer.text('Permitted.'),
      );
      const client = await stage.driver(DURABLE);
      const careful = await stage.driver({ ...DURABLE, key: CAREFUL });
      const kept = await sendForTask(client, say('before'));
      const waiting = await sendForTask(careful, say('ask for permission'));
      expect(waiting.status.state).toBe('TASK_STATE_INPUT_REQUIRED');

      const seen: StreamedEvent[] = [];
      for await (const event of client.stream(say(`tell ${gate}`))) {
        seen.push(event);
        if (outline([event.event]).join().includes('Once upon')) break;
      }
      const first = seen[0]?.event;
      const id = first !== undefined && 'task' in first ? first.task.id : '';
      const cursor = seen.at(-1)?.id ?? '';
      const leftBehind = join(stage.gateway.home.workspace, 'left-behind');
      await stage.gateway.killAndStart(() =>
        stage.model.when(gate, (answer, { toolResults, userText }) =>
          // OpenClaw goes on with the session by itself, and offers a stranger's run every tool.
          userText.includes('gateway restart') && toolResults.length === 0
            ? answer.callTool('exec', { command: `touch ${leftBehind}` })
            : answer.text('Once more.'),
        ),
      );

      expect(await client.get({ id: kept.id })).toEqual(kept);
      expect((await careful.get({ id: waiting.id })).status).toEqual(waiting.status);
      const headers = { 'a2a-extensions': RESUME_EXTENSION, 'last-event-id': cursor };
      const rest = await allEvents(client.subscribe({ id }, { headers }));
      expect(outline(rest)[0]).toBe('task working');
      const ended = await client.get({ id });
      expect(ended.status.state).toBe('TASK_STATE_COMPLETED');
      expect(textOf(ended.status.message?.parts ?? [])).toBe('Once more.');
      expect(existsSync(leftBehind)).toBe(false);

      const { id: taskId, contextId } = waiting;
      const answered = await sendForTask(careful, say('allow-once', { taskId, contextId }));
      expect(isTerminal(answered.status.state)).toBe(true);

      stage.model.when('anybody', (answer) => answer.text('I am back.'));
      const next = await sendForTask(client, sayAndLeave('is anybody there'));
      await expect
        .poll(async () => (await client.get({ id: next.id })).status.state)
        .toBe('TASK_STATE_COMPLETED');
    });
  });
}
