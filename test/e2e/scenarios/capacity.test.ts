import { expect } from 'vitest';
import { artifactTexts, say, sayAndLeave, sendForTask, startWaiting, unique } from '../conversation.ts';
import { expectError, expectStreamError } from '../expect-error.ts';
import { scenarios } from '../scenarios.ts';

scenarios('Turns of one context', {}, ({ scenario }) => {
  scenario(
    {
      it: 'run one after the other, at the same time as those of other contexts',
      covers: ['CONTEXT-ONE-TURN'],
    },
    async ({ driver, agent }) => {
      const contextId = unique('context');
      const [first, second, beside] = [unique('gate'), unique('gate'), unique('gate')];
      await driver.send(sayAndLeave(`wait ${first}; complete`, { contextId }));
      await agent.gates.reached(first);
      const later = sendForTask(driver, say(`remember; wait ${second}; complete`, { contextId }));
      await startWaiting(driver, beside);
      await agent.gates.reached(beside);
      expect(agent.gates.isReached(second)).toBe(false);
      agent.gates.open(first);
      await agent.gates.reached(second);
      agent.gates.open(second);
      agent.gates.open(beside);
      expect(artifactTexts(await later)).toEqual({ memory: '1' });
    },
  );
});

scenarios(
  'An agent with one slot',
  { runtime: { maxConcurrentTurns: 1, maxQueuedTurns: 0 } },
  ({ scenario }) => {
    scenario(
      {
        it: 'rejects more, and is available again afterwards',
        covers: ['CAPACITY-REFUSED'],
        on: { clients: ['raw'] },
      },
      async ({ driver, agent }) => {
        const gate = unique('gate');
        const { id } = await startWaiting(driver, gate);
        await agent.gates.reached(gate);
        const error = await expectError(driver, 'RESOURCE_EXHAUSTED', driver.send(say('complete')));
        if (driver.binding !== 'GRPC') {
          expect(error.httpStatus).toBe(429);
          expect(Number(error.headers['retry-after'])).toBeGreaterThan(0);
        }
        await expectStreamError(driver, 'RESOURCE_EXHAUSTED', driver.stream(say('complete')));
        await driver.cancel({ id });
        expect((await sendForTask(driver, say('complete'))).status.state).toBe('TASK_STATE_COMPLETED');
      },
    );
  },
);
