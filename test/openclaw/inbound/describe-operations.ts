import { describe, expect, test } from 'vitest';
import {
  allEvents,
  artifactTexts,
  oneByOne,
  outline,
  say,
  sayAndLeave,
  sendForTask,
  textOf,
  unique,
} from '../../e2e/conversation.ts';
import type { Version } from '../../support/drivers/driver.ts';
import { PICTURE } from '../harness/picture.ts';
import type { InboundStage } from './inbound-stage.ts';

/** The default operations of an account, with the official client of a version. */
export function describeOperations(stage: InboundStage, version: Version): void {
  describe(`A2A ${version}, official client`, () => {
    test('a short answer is a message, sent and streamed', async () => {
      stage.model.when('short', (answer) => answer.text('Yes.'));
      const client = await stage.anonymous(version);
      const reply = await client.send(say('a short one'));
      expect(reply).toMatchObject({ message: { role: 'ROLE_AGENT', parts: [{ text: 'Yes.' }] } });
      expect(reply).not.toHaveProperty('message.taskId');
      expect(JSON.stringify(reply)).not.toMatch(/openclaw/i);
      expect(outline(await allEvents(client.stream(say('a short one'))))).toEqual(['message Yes.']);
    });

    test('a tool promotes the turn to a task, with events in order', async () => {
      stage.model.when('count files', (answer, { toolResults }) => {
        if (toolResults.length === 0) answer.callTool('exec', { command: 'echo seven' });
        else answer.text(`There are ${toolResults[0]}.`);
      });
      const client = await stage.ada(version);
      const events = await allEvents(client.stream(say('count files')));
      const lines = outline(events);
      expect(lines.slice(0, 2)).toEqual(['task submitted', 'working']);
      expect(lines.findIndex((line) => line.includes('tool-progress'))).toBeLessThan(
        lines.findIndex((line) => line.includes('assistant-output-0001')),
      );
      expect(lines.at(-1)).toBe('completed There are seven.');
      expect(JSON.stringify(events)).not.toMatch(/openclaw/i);
      const task = await sendForTask(client, say('count files'));
      expect(task.status.state).toBe('TASK_STATE_COMPLETED');
      expect(artifactTexts(task)['assistant-output-0001']).toBe('There are seven.');
    });

    test('a non-blocking send returns a task that can be followed', async () => {
      const gate = unique('told');
      stage.model.when(gate, async (answer) => {
        answer.text('Once upon');
        await stage.gates.pass(gate);
        answer.text(' a time.');
      });
      const client = await stage.anonymous(version);
      const { id } = await sendForTask(client, sayAndLeave(`tell ${gate}`));
      await stage.gates.reached(gate);
      const reader = oneByOne(client.subscribe({ id }));
      expect((await reader.nextTask()).id).toBe(id);
      stage.gates.open(gate);
      expect((await reader.rest()).at(-1)).toBe('completed Once upon a time.');
      expect(artifactTexts(await client.get({ id }))).toEqual({
        'assistant-output-0001': 'Once upon a time.',
      });
    });

    test('canceling a task aborts its model request', async () => {
      const gate = unique('ever');
      stage.model.when(gate, (answer) => answer.hang());
      const client = await stage.anonymous(version);
      const { id } = await sendForTask(client, sayAndLeave(`think for ${gate}`));
      await expect.poll(() => stage.model.requestsWith(gate).length).toBe(1);
      expect((await client.cancel({ id })).status.state).toBe('TASK_STATE_CANCELED');
      await expect.poll(() => stage.model.requestsWith(gate)[0]?.abandoned).toBe(true);
    });

    test('a model error fails the task', async () => {
      stage.model.when('refused', (answer) => answer.rejectWith(400));
      const task = await sendForTask(await stage.anonymous(version), say('to be refused'));
      expect(task.status.state).toBe('TASK_STATE_FAILED');
      expect(textOf(task.status.message?.parts ?? [])).not.toBe('');
    });

    test('disabled operations are rejected', async () => {
      const client = await stage.anonymous(version);
      const config = { taskId: 'any', id: 'any', url: 'https://example.com/hook' };
      await expect(client.createPushConfig(config)).rejects.toMatchObject({ code: -32601 });
      await expect(client.listPushConfigs({ taskId: 'any' })).rejects.toMatchObject({ code: -32601 });
      const parts = [{ text: 'see' }, { raw: PICTURE, mediaType: 'image/png' }];
      await expect(client.send(say('', { parts }))).rejects.toMatchObject({
        code: -32602,
        message: expect.stringMatching(/parts?\W*1/) as string,
      });
    });
  });
}
