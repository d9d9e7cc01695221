import type { V03Task } from '@holdword/protocol';
import { expect, test } from 'vitest';
import { A2AAgents } from '../agents/a2a-agents.ts';
import { ArtifactSettings } from '../artifacts/artifact-settings.ts';
import { DataArtifacts } from '../artifacts/data-artifacts.ts';
import { TextArtifacts } from '../artifacts/text-artifacts.ts';
import { LocalFileStore } from '../files/local-file-store.ts';
import { minimizeArtifacts, minimizeMessage, minimizeTask } from '../llm/minimize-reply.ts';
import { A2ASession } from '../session/a2a-session.ts';
import { InMemoryTaskStore } from '../stores/in-memory-task-store.ts';
import { JSONTaskStore } from '../stores/json-task-store.ts';
import { RecordTaskStore } from '../stores/record-task-store.ts';
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
  [LocalFileStore as Untyped, [], 'folder: expected the path of a folder, found nothing'],
  [InMemoryTaskStore as Untyped, [{ maxTasks: -1 }], 'maxTasks: expected a non-negative integer, found -1'],
  [JSONTaskStore as Untyped, [], 'folder: expected the path of a folder, found nothing'],
  [JSONTaskStore as Untyped, [{ folder: 'x' }], 'folder: expected the path of a folder, found an object'],
  [RecordTaskStore as Untyped, ['./tasks'], 'store: expected a store, such as await openSqliteStore('],
  [A2ATools as Untyped, [session, { extraTools: ['cancel'] }], '("cancel" is not one)'],
  [
    ArtifactSettings as Untyped,
    [{ sendMessageLimit: 5 }],
    'unknown option "sendMessageLimit". Valid options: sendMessageCharacterLimit',
  ],
  [
    ArtifactSettings as Untyped,
    [{ sendMessageCharacterLimit: '5' }],
    'Expected sendMessageCharacterLimit to be a non-negative integer, found "5".',
  ],
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

const CALLS = {
  'TextArtifacts.view': (text: string, options?: object) => TextArtifacts.view(text, options),
  'TextArtifacts.minimize': (text: string, options?: object) => TextArtifacts.minimize(text, options),
  'DataArtifacts.view': (data: unknown, options?: object) => DataArtifacts.view(data, options),
  'DataArtifacts.minimize': (data: unknown, options?: object) => DataArtifacts.minimize(data, options),
  'DataArtifacts.summarizeTable': (data: []) => DataArtifacts.summarizeTable(data),
  minimizeArtifacts,
  minimizeTask,
  minimizeMessage,
};

test.each<[keyof typeof CALLS, unknown[], string]>([
  ['TextArtifacts.view', [5], 'text: expected a string, found 5'],
  ['TextArtifacts.view', ['a', { linestart: 1 }], 'unknown option "linestart". Did you mean "lineStart"?'],
  [
    'TextArtifacts.minimize',
    ['a', { limit: 1 }],
    'unknown option "limit". Valid options: characterLimit, tip',
  ],
  ['DataArtifacts.view', [{ a: [] }, { path: 'a' }], 'unknown option "path". Valid options: jsonPath'],
  ['DataArtifacts.minimize', [{}, { tips: 'a' }], 'unknown option "tips". Did you mean "tip"?'],
  ['DataArtifacts.summarizeTable', [{}], 'data: expected a list, found an empty object'],
  ['minimizeArtifacts', [{}], 'artifacts: expected a list, found an empty object'],
  ['minimizeArtifacts', [[], { charLimit: 1 }], 'unknown option "charLimit"'],
  ['minimizeTask', [{}, { budget: 1 }], 'task: expected a task'],
  [
    'minimizeTask',
    [{ id: 'a', contextId: 'b', status: { state: 'completed' } }],
    'expected an object with options, found nothing',
  ],
  ['minimizeMessage', ['hello', {}], 'message: expected a message'],
])('%s rejects %j', (name, given, message) => {
  const call = CALLS[name] as (...given: unknown[]) => unknown;
  expect(() => call(...given)).toThrow(message);
});

test.each([
  [{ pagesize: 1 }, 'unknown option "pagesize". Did you mean "pageSize"?'],
  [{ status: 'working' }, 'status: expected one of TASK_STATE_SUBMITTED'],
])('tasks are not listed with the query %j', async (query, message) => {
  const untyped: object = query;
  await expect(session.listTasks('demo', untyped)).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    message: expect.stringContaining(message) as string,
  });
});

test.each([undefined, 'task-123', {}])('saved files of %j are not looked up', async (answer) => {
  await expect(session.getSavedFiles('demo', answer as unknown as V03Task)).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    message: expect.stringContaining('expected a task or a message that the session returned') as string,
  });
});
