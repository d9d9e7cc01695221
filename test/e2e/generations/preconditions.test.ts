import type { Task } from '@holdword/protocol';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BINDINGS } from '../../support/drivers/driver.ts';
import { type NextDriver, openNext } from '../../support/drivers/raw-next.ts';
import type { WireError } from '../../support/drivers/wire-error.ts';
import { startAgent } from '../../support/start-agent.ts';
import type { TestAgent } from '../../support/test-agent.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { say, taskOf, unique } from '../conversation.ts';

watchForLeaks();

async function start(): Promise<TestAgent & { next: (binding: (typeof BINDINGS)[number]) => NextDriver }> {
  const agent = await startAgent({ store: 'sqlite' });
  const opened: NextDriver[] = [];
  onTestFinished(async () => {
    for (const driver of opened) driver.close();
    await agent.close();
  });
  const next = (binding: (typeof BINDINGS)[number]): NextDriver => {
    const driver = openNext(agent.target, binding);
    opened.push(driver);
    return driver;
  };
  return { ...agent, next };
}

function answerTo(task: Task, script: string, configuration: object) {
  return say(script, { taskId: task.id }, { configuration });
}

const CODES = { JSONRPC: -32010, 'HTTP+JSON': 409, GRPC: 10 } as const;

describe.each(BINDINGS)('ifGenerationMatch over %s', (binding) => {
  test('accepts a message to the task in that generation, as a number or a string', async () => {
    const { next } = await start();
    const driver = next(binding);
    const asked = taskOf(await driver.send(say('ask one?')));
    const request = answerTo(asked, 'ask two?', { ifGenerationMatch: Number(asked.generation) });
    const again = taskOf(await driver.send(request));
    expect(Number(again.generation)).toBe(Number(asked.generation) + 2);
    const last = await driver.send(answerTo(again, 'complete', { ifGenerationMatch: again.generation }));
    expect(taskOf(last).status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('rejects a message to the task in any other generation, and leaves the task as it is', async () => {
    const { next } = await start();
    const driver = next(binding);
    const asked = taskOf(await driver.send(say('ask one?')));
    const current = Number(asked.generation);
    for (const expected of [current - 1, current + 1, 0]) {
      const error = await driver
        .send(answerTo(asked, 'complete', { ifGenerationMatch: expected }))
        .catch((thrown: unknown) => thrown as WireError);
      expect(error).toMatchObject({
        code: CODES[binding],
        errorInfo: {
          reason: 'TASK_GENERATION_MISMATCH',
          domain: 'a2a-protocol.org',
          metadata: {
            taskId: asked.id,
            expectedGeneration: String(expected),
            currentGeneration: String(current),
          },
        },
      });
    }
    expect(await driver.get({ id: asked.id })).toEqual(asked);
    const stream = driver.stream(answerTo(asked, 'complete', { ifGenerationMatch: 1 }));
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: CODES[binding] });
  });

  test('is ignored for a new task, and not shown to the agent', async () => {
    const { next } = await start();
    const driver = next(binding);
    const task = taskOf(
      await driver.send(say('complete', {}, { configuration: { ifGenerationMatch: 7, historyLength: 1 } })),
    );
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('is ignored for a client of A2A 1.0', async () => {
    const agent = await start();
    const driver = await agent.driver({ binding, version: '1.0', client: 'raw' });
    const asked = taskOf(await driver.send(say('ask one?')));
    const ended = await driver.send(answerTo(asked, 'complete', { ifGenerationMatch: 1 }));
    expect(taskOf(ended).status.state).toBe('TASK_STATE_COMPLETED');
  });

  test.each([false, true])(
    'lets one of 50 messages pass (returnImmediately: %s)',
    async (returnImmediately) => {
      const { next } = await start();
      const drivers = [next(binding), next('JSONRPC'), next('HTTP+JSON')];
      const asked = taskOf(await (drivers[0] as NextDriver).send(say('ask one?')));
      const configuration = { ifGenerationMatch: Number(asked.generation), returnImmediately };
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          (drivers[index % drivers.length] as NextDriver)
            .send(answerTo(asked, `artifact winner-${index} x; ask two?`, configuration))
            .then(
              () => 'accepted',
              (error: WireError) => error.reason,
            ),
        ),
      );
      expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(1);
      // One that does not want to wait may be told that the turn of another is not on disk yet.
      const refusals = ['TASK_GENERATION_MISMATCH', ...(returnImmediately ? ['UNSUPPORTED_OPERATION'] : [])];
      expect(
        outcomes.filter((outcome) => outcome !== 'accepted' && !refusals.includes(String(outcome))),
      ).toEqual([]);
      const driver = drivers[0] as NextDriver;
      const current = returnImmediately
        ? await driver.get({ id: asked.id, currentGeneration: Number(asked.generation) + 2 })
        : await driver.get({ id: asked.id });
      expect(current.artifacts).toHaveLength(1);
      expect(current.generation).toBe(String(Number(asked.generation) + 3));
    },
  );
});

test('a message that waits for its context is rejected as soon as its task moves on', async () => {
  const agent = await start();
  const driver = agent.next('JSONRPC');
  const gate = unique('gate');
  const contextId = unique('context');
  const asked = taskOf(await driver.send(say('ask one?', { contextId })));
  const other = driver.send(say(`wait ${gate}; complete`, { contextId }));
  await agent.gates.reached(gate);
  const waiting = driver.send(answerTo(asked, 'complete', { ifGenerationMatch: Number(asked.generation) }));
  const rejected = waiting.catch((error: WireError) => error.reason);
  // It is in the queue when another one after it is.
  const busy = answerTo(asked, 'complete', {
    ifGenerationMatch: Number(asked.generation),
    returnImmediately: true,
  });
  await expect(driver.send(busy)).rejects.toMatchObject({ reason: 'UNSUPPORTED_OPERATION' });
  await driver.cancel({ id: asked.id });
  expect(await rejected).toBe('TASK_GENERATION_MISMATCH');
  agent.gates.open(gate);
  expect(taskOf(await other).status.state).toBe('TASK_STATE_COMPLETED');
});

test('a message that is sent again with its key gets its task, although the task has moved on', async () => {
  const { next } = await start();
  const driver = next('JSONRPC');
  const asked = taskOf(await driver.send(say('ask one?')));
  const request = answerTo(asked, 'complete', { ifGenerationMatch: Number(asked.generation) });
  const headers = { 'idempotency-key': unique('key') };
  const first = taskOf(await driver.send(request, { headers }));
  expect(taskOf(await driver.send(request, { headers }))).toEqual(first);
});
