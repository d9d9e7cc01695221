import { expect } from 'vitest';
import { oneByOne, say, sendForTask, startWaiting, unique } from '../conversation.ts';
import { expectError } from '../expect-error.ts';
import { scenarios } from '../scenarios.ts';

scenarios('Canceling a task', {}, ({ scenario }) => {
  scenario(
    { it: 'stops the agent and ends the task, for good', covers: ['CANCEL-TASK', 'CANCEL-IDEMPOTENT'] },
    async ({ driver, agent }) => {
      const gate = unique('gate');
      const { id } = await startWaiting(driver, gate);
      await agent.gates.reached(gate);
      expect((await driver.cancel({ id })).status.state).toBe('TASK_STATE_CANCELED');
      await agent.gates.abandoned(gate);
      const canceled = await driver.get({ id });
      expect(canceled.status.state).toBe('TASK_STATE_CANCELED');
      expect(await driver.cancel({ id })).toEqual(canceled);
      expect(await driver.get({ id })).toEqual(canceled);
    },
  );

  scenario({ it: 'ends a task that waits for input', covers: ['CANCEL-INTERRUPTED'] }, async ({ driver }) => {
    const { id } = await sendForTask(driver, say('ask what?'));
    expect((await driver.cancel({ id })).status.state).toBe('TASK_STATE_CANCELED');
    await expectError(driver, 'UNSUPPORTED_OPERATION', driver.send(say('complete', { taskId: id })));
  });

  scenario(
    { it: 'is the last event on its streams', covers: ['CANCEL-ENDS-STREAMS'] },
    async ({ driver, agent }) => {
      const gate = unique('gate');
      const sender = oneByOne(driver.stream(say(`wait ${gate}; complete`)));
      const { id } = await sender.nextTask();
      await agent.gates.reached(gate);
      const subscriber = oneByOne(driver.subscribe({ id }));
      await subscriber.nextTask();
      await driver.cancel({ id });
      expect((await sender.rest()).at(-1)).toMatch(/^canceled/);
      expect((await subscriber.rest()).at(-1)).toMatch(/^canceled/);
    },
  );

  for (const ending of ['complete', 'fail no', 'reject no']) {
    scenario({ it: `is rejected after "${ending}"`, covers: ['CANCEL-TERMINAL'] }, async ({ driver }) => {
      const { id } = await sendForTask(driver, say(ending));
      await expectError(driver, 'TASK_NOT_CANCELABLE', driver.cancel({ id }));
    });
  }

  scenario({ it: 'does not find an unknown task', covers: ['CANCEL-UNKNOWN'] }, async ({ driver }) => {
    await expectError(driver, 'TASK_NOT_FOUND', driver.cancel({ id: unique('task') }));
  });
});
