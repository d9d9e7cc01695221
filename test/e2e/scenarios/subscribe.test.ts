import { expect } from 'vitest';
import { bodyOf, openHttp } from '../../support/drivers/http-client.ts';
import { oneByOne, say, sendForTask, startWaiting, unique } from '../conversation.ts';
import { expectStreamError } from '../expect-error.ts';
import { scenarios } from '../scenarios.ts';

scenarios('Subscribing to a task', {}, ({ scenario, check }) => {
  scenario(
    {
      it: 'starts with the current task and shows what follows, to the end',
      covers: ['SUBSCRIBE-TASK-FIRST', 'SUBSCRIBE-UPDATES', 'SUBSCRIBE-ENDS-TERMINAL'],
    },
    async ({ driver, agent }) => {
      const gate = unique('gate');
      const { id } = await startWaiting(driver, gate, 'artifact early x; ');
      await agent.gates.reached(gate);
      const subscription = oneByOne(driver.subscribe({ id }));
      const task = await subscription.nextTask();
      expect(task.status.state).toBe('TASK_STATE_WORKING');
      expect(task.artifacts?.map(({ artifactId }) => artifactId)).toEqual(['early']);
      agent.gates.open(gate);
      expect(await subscription.rest()).toEqual(['artifact end done', 'completed']);
    },
  );

  scenario(
    { it: 'stays open while the agent waits for an answer', covers: ['SUBSCRIBE-OPEN-INTERRUPTED'] },
    async ({ driver }) => {
      const { id } = await sendForTask(driver, say('ask which one?'));
      const subscription = oneByOne(driver.subscribe({ id }));
      expect((await subscription.nextTask()).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
      await driver.send(say('ask really?', { taskId: id }));
      await driver.send(say('complete red', { taskId: id }));
      const rest = await subscription.rest();
      expect(rest).toContain('input_required really?');
      expect(rest.at(-1)).toBe('completed red');
    },
  );

  for (const ending of ['complete', 'fail no', 'reject no']) {
    scenario({ it: `is rejected after "${ending}"`, covers: ['SUBSCRIBE-TERMINAL'] }, async ({ driver }) => {
      const { id } = await sendForTask(driver, say(ending));
      await expectStreamError(driver, 'UNSUPPORTED_OPERATION', driver.subscribe({ id }));
    });
  }

  scenario({ it: 'does not find an unknown task', covers: ['SUBSCRIBE-UNKNOWN'] }, async ({ driver }) => {
    await expectStreamError(driver, 'TASK_NOT_FOUND', driver.subscribe({ id: unique('task') }));
  });

  check(
    {
      it: 'accepts GET and POST on REST',
      covers: ['SUBSCRIBE-VERBS'],
      surfaces: ['HTTP+JSON 1.0', 'HTTP+JSON 0.3'],
    },
    async (agent) => {
      const driver = await agent.driver({ binding: 'HTTP+JSON', version: '1.0', client: 'raw' });
      for (const { path, headers } of [
        { path: '', headers: { 'a2a-version': '1.0' } },
        { path: '/v1', headers: {} },
      ]) {
        for (const method of ['GET', 'POST']) {
          const gate = unique('gate');
          const { id } = await startWaiting(driver, gate);
          await agent.gates.reached(gate);
          const url = `${agent.target.restUrl}${path}/tasks/${id}:subscribe`;
          const response = await openHttp({ method, url, headers });
          expect(response.statusCode, `${method} ${path}`).toBe(200);
          agent.gates.open(gate);
          expect(await bodyOf(response)).toContain('COMPLETED');
        }
      }
    },
  );
});
