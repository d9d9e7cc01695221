import { expect } from 'vitest';
import { artifactTexts, say, sayAndLeave, sendForTask, textOf, unique } from '../conversation.ts';
import { expectError } from '../expect-error.ts';
import { scenarios } from '../scenarios.ts';

scenarios('Getting a task', {}, ({ scenario }) => {
  scenario(
    { it: 'shows the current task, and the same task again', covers: ['GET-TASK'] },
    async ({ driver, agent }) => {
      const gate = unique('gate');
      const { id } = await sendForTask(
        driver,
        sayAndLeave(`status busy; artifact a x; wait ${gate}; complete`),
      );
      await agent.gates.reached(gate);
      const running = await driver.get({ id });
      expect(running.status.state).toBe('TASK_STATE_WORKING');
      expect(textOf(running.status.message?.parts ?? [])).toBe('busy');
      expect(artifactTexts(running)).toEqual({ a: 'x' });
      expect(await driver.get({ id })).toEqual(running);
      agent.gates.open(gate);
    },
  );

  scenario(
    {
      it: 'limits the history by its length',
      covers: ['GET-HISTORY-UNSET', 'GET-HISTORY-LIMIT'],
    },
    async ({ driver }) => {
      const { id } = await sendForTask(driver, say('ask one?'));
      await sendForTask(driver, say('ask two?', { taskId: id }));
      await sendForTask(driver, say('complete', { taskId: id }));
      const history = async (request: { historyLength?: number }): Promise<string[] | undefined> =>
        (await driver.get({ id, ...request })).history?.map(({ parts }) => textOf(parts));
      expect(await history({})).toEqual(['ask one?', 'one?', 'ask two?', 'two?', 'complete']);
      expect(await history({ historyLength: 2 })).toEqual(['two?', 'complete']);
      expect(await history({ historyLength: 100 })).toHaveLength(5);
    },
  );

  scenario(
    {
      it: 'omits the history for length 0',
      covers: ['GET-HISTORY-ZERO'],
      on: { versions: ['1.0'] },
    },
    async ({ driver }) => {
      const { id } = await sendForTask(driver, say('complete'));
      expect(await driver.get({ id, historyLength: 0 })).not.toHaveProperty('history');
    },
  );

  scenario(
    {
      it: 'omits or empties the history for length 0 in 0.3',
      covers: ['GET-HISTORY-ZERO'],
      on: { versions: ['0.3'], bindings: ['JSONRPC', 'HTTP+JSON'] },
    },
    async ({ driver }) => {
      const { id } = await sendForTask(driver, say('complete'));
      expect((await driver.get({ id, historyLength: 0 })).history ?? []).toEqual([]);
    },
  );

  scenario({ it: 'does not find an unknown task', covers: ['GET-UNKNOWN'] }, async ({ driver }) => {
    await expectError(driver, 'TASK_NOT_FOUND', driver.get({ id: unique('task') }));
  });
});
