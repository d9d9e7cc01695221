import { expect } from 'vitest';
import { say, sayAndLeave, sendForTask, unique } from '../conversation.ts';
import { expectError, expectStreamError } from '../expect-error.ts';
import { scenarios } from '../scenarios.ts';

const bearer = (token: string): { headers: Record<string, string> } => ({
  headers: { authorization: `Bearer ${token}` },
});

scenarios(
  'A caller that exceeds its rate limit',
  { apiKeys: true, limits: { requestsPerMinute: 3 } },
  ({ scenario }) => {
    scenario(
      {
        it: 'is rejected and told when to retry, and others are not',
        covers: ['LIMIT-RATE'],
        on: { clients: ['raw'] },
      },
      async ({ driver, agent }) => {
        const [busy, other] = [
          bearer(await agent.addKey(unique('busy'))),
          bearer(await agent.addKey(unique('other'))),
        ];
        for (let call = 0; call < 3; call += 1) await driver.send(say('complete'), busy);
        const error = await expectError(driver, 'RESOURCE_EXHAUSTED', driver.send(say('complete'), busy));
        if (driver.binding !== 'GRPC') {
          expect(error.httpStatus).toBe(429);
          expect(Number(error.headers['retry-after'])).toBeGreaterThan(0);
          expect(error.headers['ratelimit-policy']).toBe('"caller";q=3;w=60');
          expect(error.headers['ratelimit']).toMatch(/^"caller";r=0;t=\d+$/);
        }
        await expectStreamError(driver, 'RESOURCE_EXHAUSTED', driver.stream(say('complete'), busy));
        await driver.send(say('complete'), other);
      },
    );
  },
);

scenarios(
  'A caller with an open stream',
  { apiKeys: true, limits: { streamsPerCaller: 1 } },
  ({ scenario }) => {
    scenario(
      {
        it: 'gets no second one, and no work starts for it',
        covers: ['LIMIT-STREAMS'],
        on: { clients: ['raw'] },
      },
      async ({ driver, agent }) => {
        const [gate, never] = [unique('gate'), unique('gate')];
        const me = bearer(await agent.addKey(unique('caller')));
        const events = driver.stream(say(`wait ${gate}; complete`), me)[Symbol.asyncIterator]();
        await events.next();
        await expectStreamError(
          driver,
          'RESOURCE_EXHAUSTED',
          driver.stream(say(`wait ${never}; complete`), me),
        );
        expect(agent.gates.isReached(never)).toBe(false);
        await driver.send(sayAndLeave('complete'), me);
        agent.gates.open(gate);
        while ((await events.next()).done !== true);
      },
    );
  },
);

scenarios(
  'An agent that writes too large an event',
  { runtime: { maxEventBytes: 5_000 } },
  ({ scenario }) => {
    scenario({ it: 'fails its task and says why', covers: ['LIMIT-EVENT-SIZE'] }, async ({ driver }) => {
      const parts = [{ text: 'mirror' }, { text: 'x'.repeat(10_000) }];
      const { status } = await sendForTask(driver, say('', { parts }));
      expect(status.state).toBe('TASK_STATE_FAILED');
      expect(status.message?.parts[0]?.text).toContain('at most 5000 are allowed');
    });
  },
);
