import { expect } from 'vitest';
import { artifactTexts, say, sayAndLeave, sendForTask, textOf, unique } from '../conversation.ts';
import { expectError } from '../expect-error.ts';
import { scenarios } from '../scenarios.ts';

scenarios('Sending a message', {}, ({ scenario }) => {
  scenario(
    {
      it: 'waits for the end and returns the task and its artifacts',
      covers: ['SEND-TASK', 'SEND-BLOCKING-DEFAULT', 'SEND-CONTEXT-GENERATED', 'MODEL-TIMESTAMPS'],
    },
    async ({ driver }) => {
      const task = await sendForTask(
        driver,
        say('status thinking; artifact answer forty; last answer -two; complete done'),
      );
      expect(task.status.state).toBe('TASK_STATE_COMPLETED');
      expect(textOf(task.status.message?.parts ?? [])).toBe('done');
      expect(artifactTexts(task)).toEqual({ answer: 'forty-two' });
      expect(task.contextId).not.toBe('');
      expect(task.status.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    },
  );

  scenario(
    { it: 'keeps waiting while the task is working', covers: ['SEND-BLOCKING-DEFAULT'] },
    async ({ driver, agent }) => {
      const gate = unique('gate');
      let answered = false;
      const answer = sendForTask(driver, say(`wait ${gate}; complete`)).finally(() => {
        answered = true;
      });
      await agent.gates.reached(gate);
      expect(answered).toBe(false);
      agent.gates.open(gate);
      expect((await answer).status.state).toBe('TASK_STATE_COMPLETED');
    },
  );

  scenario(
    {
      it: 'returns when the agent asks, and the answer continues the same task',
      covers: ['SEND-BLOCKING-INPUT-REQUIRED', 'SEND-FOLLOW-UP', 'SEND-CONTEXT-INFERRED'],
    },
    async ({ driver }) => {
      const asked = await sendForTask(driver, say('ask which one?'));
      expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
      expect(textOf(asked.status.message?.parts ?? [])).toBe('which one?');
      const answered = await sendForTask(
        driver,
        say('artifact choice the red one; complete', { taskId: asked.id }),
      );
      expect(answered.id).toBe(asked.id);
      expect(answered.contextId).toBe(asked.contextId);
      expect(answered.status.state).toBe('TASK_STATE_COMPLETED');
      expect(artifactTexts(answered)).toEqual({ choice: 'the red one' });
      expect(answered.history?.map(({ parts }) => textOf(parts))).toEqual([
        'ask which one?',
        'which one?',
        'artifact choice the red one; complete',
      ]);
    },
  );

  scenario(
    {
      it: 'returns when the agent needs authorization, and says what it needs',
      covers: ['SEND-BLOCKING-AUTH-REQUIRED', 'SEND-AUTH-REQUIRED-MESSAGE'],
    },
    async ({ driver }) => {
      const task = await sendForTask(driver, say('auth log in at the desk'));
      expect(task.status.state).toBe('TASK_STATE_AUTH_REQUIRED');
      expect(textOf(task.status.message?.parts ?? [])).toBe('log in at the desk');
    },
  );

  scenario(
    { it: 'returns immediately if requested', covers: ['SEND-RETURN-IMMEDIATELY'] },
    async ({ driver, agent }) => {
      const gate = unique('gate');
      const task = await sendForTask(driver, sayAndLeave(`wait ${gate}; complete`));
      expect(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']).toContain(task.status.state);
      agent.gates.open(gate);
    },
  );

  scenario(
    {
      it: 'does not wait for the turn of a task if requested',
      covers: ['SEND-RETURN-IMMEDIATELY'],
      on: { clients: ['raw'] },
    },
    async ({ driver, agent }) => {
      const gate = unique('gate');
      const { id } = await sendForTask(driver, sayAndLeave(`wait ${gate}; ask more`));
      const error = await expectError(
        driver,
        'UNSUPPORTED_OPERATION',
        driver.send(sayAndLeave('complete', { taskId: id })),
      );
      const advice = driver.version === '0.3' ? 'Set blocking to true' : 'Omit returnImmediately';
      expect(error.message).toContain(advice);
      agent.gates.open(gate);
      expect((await sendForTask(driver, say('complete', { taskId: id }))).status.state).toBe(
        'TASK_STATE_COMPLETED',
      );
    },
  );

  scenario(
    {
      it: 'returns a direct answer as a message in a new context',
      covers: ['SEND-DIRECT-MESSAGE', 'SEND-CONTEXT-GENERATED'],
    },
    async ({ driver }) => {
      const response = await driver.send(say('message good morning'));
      if (!('message' in response)) {
        throw new Error(`Expected a message, found ${JSON.stringify(response)}`);
      }
      expect(response.message.role).toBe('ROLE_AGENT');
      expect(textOf(response.message.parts)).toBe('good morning');
      expect(response.message.contextId).toBeTruthy();
      expect(response.message.taskId).toBeUndefined();
    },
  );

  for (const [script, state] of [
    ['complete fine', 'TASK_STATE_COMPLETED'],
    ['fail broken', 'TASK_STATE_FAILED'],
    ['reject not for me', 'TASK_STATE_REJECTED'],
    ['refuse no such city', 'TASK_STATE_FAILED'],
  ] as const) {
    scenario({ it: `returns ${state} for "${script}"`, covers: ['SEND-OUTCOMES'] }, async ({ driver }) => {
      const task = await sendForTask(driver, say(script));
      expect(task.status.state).toBe(state);
      expect(textOf(task.status.message?.parts ?? [])).toContain(script.slice(script.indexOf(' ') + 1));
    });
  }

  scenario(
    { it: 'keeps the context of the client across tasks', covers: ['SEND-CONTEXT-KEPT'] },
    async ({ driver }) => {
      const contextId = unique('context');
      const first = await sendForTask(driver, say('complete', { contextId }));
      const second = await sendForTask(driver, say('remember; complete', { contextId }));
      expect([first.contextId, second.contextId]).toEqual([contextId, contextId]);
      expect(second.id).not.toBe(first.id);
      expect(artifactTexts(second)).toEqual({ memory: '1' });
    },
  );

  scenario(
    { it: 'rejects a context that differs from that of the task', covers: ['SEND-CONTEXT-MISMATCH'] },
    async ({ driver }) => {
      const task = await sendForTask(driver, say('ask what?'));
      const message = { taskId: task.id, contextId: unique('context') };
      await expectError(driver, 'INVALID_PARAMS', driver.send(say('complete', message)));
    },
  );

  scenario(
    { it: 'rejects a task that does not exist', covers: ['SEND-UNKNOWN-TASK'] },
    async ({ driver }) => {
      const message = { taskId: unique('task') };
      await expectError(driver, 'TASK_NOT_FOUND', driver.send(say('complete', message)));
    },
  );

  for (const ending of ['complete', 'fail no', 'reject no']) {
    scenario(
      { it: `rejects a message to a task that ended with "${ending}"`, covers: ['SEND-TERMINAL-TASK'] },
      async ({ driver }) => {
        const task = await sendForTask(driver, say(ending));
        await expectError(driver, 'UNSUPPORTED_OPERATION', driver.send(say('complete', { taskId: task.id })));
      },
    );
  }

  scenario(
    { it: 'rejects a media type that the agent does not accept', covers: ['SEND-CONTENT-TYPE'] },
    async ({ driver }) => {
      const parts = [{ raw: 'AAAA', mediaType: 'video/mp4' }];
      await expectError(driver, 'CONTENT_TYPE_NOT_SUPPORTED', driver.send(say('', { parts })));
    },
  );

  scenario(
    {
      it: 'limits the history in the response',
      covers: ['SEND-HISTORY-LENGTH'],
      on: { except: ['GRPC 0.3'] },
    },
    async ({ driver }) => {
      const asked = await sendForTask(driver, say('ask which one?'));
      const configuration = { historyLength: 1 };
      const answered = await sendForTask(driver, say('complete', { taskId: asked.id }, { configuration }));
      expect(answered.history?.map(({ parts }) => textOf(parts))).toEqual(['complete']);
    },
  );

  scenario(
    {
      it: 'creates a new task when a plain client repeats its messageId',
      covers: ['SEND-REPEATED-MESSAGE-ID', 'MODEL-IDS'],
    },
    async ({ driver }) => {
      const request = say('complete');
      const first = await sendForTask(driver, request);
      const second = await sendForTask(driver, request);
      expect(second.id).not.toBe(first.id);
      expect(first.id).not.toContain('/');
    },
  );

  scenario(
    { it: 'reveals nothing internal when an agent breaks', covers: ['ERROR-NO-LEAK'] },
    async ({ driver }) => {
      const task = await sendForTask(driver, say('crash cannot open /etc/secret.key'));
      expect(task.status.state).toBe('TASK_STATE_FAILED');
      expect(JSON.stringify(task.status)).not.toMatch(/secret\.key|\.ts:\d|node_modules/);
    },
  );
});
