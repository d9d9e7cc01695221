import { expect, test } from 'vitest';
import { A2AAgents } from '../agents/a2a-agents.ts';
import { LocalFileStore } from '../files/local-file-store.ts';
import { A2ASession } from '../session/a2a-session.ts';
import { InMemoryTaskStore } from '../stores/in-memory-task-store.ts';
import { A2ATools } from '../tools/a2a-tools.ts';

/** As a program in JavaScript calls it. */
type Untyped = new (...given: unknown[]) => unknown;
const agents = new A2AAgents();
const session = new A2ASession(agents);

test.each<[Untyped, unknown[], string]>([
  [A2AAgents as Untyped, [{}, { cardTimout: 3 }], 'unknown option "cardTimout". Did you mean "cardTimeout"?'],
  [
    A2AAgents as Untyped,
    [{}, { maxResponseBytes: '1G' }],
    'maxResponseBytes: expected a positive number of bytes, found "1G"',
  ],
  [A2ASession as Untyped, [], 'agents: expected new A2AAgents(…), found nothing'],
  [A2ASession as Untyped, [{ demo: {} }], 'agents: expected new A2AAgents(…), found an object with demo'],
  [A2ASession as Untyped, [agents, { timout: 3 }], 'unknown option "timout". Valid options: taskStore'],
  [
    A2ASession as Untyped,
    [agents, { taskStore: './x' }],
    'taskStore: expected a task store, such as new JSONTaskStore(\'./tasks\'), found "./x"',
  ],
  [
    A2ASession as Untyped,
    [agents, { getTaskPollInterval: Number.NaN }],
    'getTaskPollInterval: expected a number of seconds',
  ],
  [A2ATools as Untyped, [agents], 'session: expected new A2ASession(…)'],
  [A2ATools as Untyped, [session, { budgets: 3 }], 'unknown option "budgets". Did you mean "budget"?'],
  [LocalFileStore as Untyped, ['./files', { maxFileByte: 3 }], 'Did you mean "maxFileBytes"?'],
  [InMemoryTaskStore as Untyped, [{ maxTasks: -1 }], 'maxTasks: expected a non-negative integer, found -1'],
])('%o rejects %j', (constructor, given, message) => {
  expect(() => new constructor(...given)).toThrow(message);
});

test.each([
  [{ contextID: 'c' }, 'unknown option "contextID". Did you mean "contextId"?'],
  [{ timout: 3 }, 'unknown option "timout". Did you mean "timeout"?'],
  [{ timeout: '3' }, 'timeout: expected a number of seconds, 0 or more, found "3"'],
  [{ pollInterval: -1 }, 'pollInterval: expected a number of seconds, 0 or more, found -1'],
])('a message is not sent with the options %j', async (options, message) => {
  const untyped: object = options;
  await expect(session.sendMessage('demo', 'hello', untyped)).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    message: expect.stringContaining(message) as string,
  });
});
