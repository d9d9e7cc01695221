import type { V03Task } from '@holdword/protocol';
import { expect, test } from 'vitest';
import { PassThrough } from 'node:stream';
import { A2AAgents } from '../agents/a2a-agents.ts';
import { ArtifactSettings } from '../artifacts/artifact-settings.ts';
import { DataArtifacts } from '../artifacts/data-artifacts.ts';
import { TextArtifacts } from '../artifacts/text-artifacts.ts';
import { LocalFileStore } from '../files/local-file-store.ts';
import { minimizeArtifacts, minimizeMessage, minimizeTask } from '../llm/minimize-reply.ts';
import { McpToolServer } from '../mcp/mcp-tool-server.ts';
import { serveMcpHttp } from '../mcp/serve-mcp-http.ts';
import { serveMcpStdio } from '../mcp/serve-mcp-stdio.ts';
import { A2ASession } from '../session/a2a-session.ts';
import { InMemoryTaskStore } from '../stores/in-memory-task-store.ts';
import { JSONTaskStore } from '../stores/json-task-store.ts';
import { RecordTaskStore } from '../stores/record-task-store.ts';
import { A2ATools } from '../tools/a2a-tools.ts';

/** As a program in JavaScript calls it. */
type Untyped = new (...given: unknown[]) => unknown;
const agents = new A2AAgents();
const session = new A2ASession(agents);
const tools = new A2ATools(session);
const mcp = new McpToolServer({ tools, version: '1' });

test.each<[Untyped, unknown[], string]>([
  [A2AAgents as Untyped, [{}, { cardTimout: 3 }], 'unknown option "cardTimout". Did you mean "cardTimeout"?'],
  [
    A2AAgents as Untyped,
    [{}, { maxResponseBytes: '1G' }],
    'maxResponseBytes: expected a positive number of bytes, found "1G"',
  ],
  [
    A2AAgents as Untyped,
    [{}, { cardTimeout: 0 }],
    'cardTimeout: expected a number of seconds above 0, found 0',
  ],
  [
    A2ASession as Untyped,
    [agents, { sendMessageTimeout: 0 }],
    'sendMessageTimeout: expected a number of seconds above 0, found 0',
  ],
  [
    LocalFileStore as Untyped,
    ['./files', { downloadTimeout: 0 }],
    'downloadTimeout: expected a number of seconds above 0, found 0',
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
  [McpToolServer as Untyped, [], 'expected an object with options, found nothing'],
  [
    McpToolServer as Untyped,
    [{ tools, version: '1', tasks: { ttl: 5 } }],
    'folder: expected the path of a folder, found nothing',
  ],
  [McpToolServer as Untyped, [{ version: '1' }], 'tools: expected new A2ATools(…), found nothing'],
  [McpToolServer as Untyped, [{ tools, version: 1 }], 'version: expected a string, found 1'],
  [
    McpToolServer as Untyped,
    [{ tools, version: '1', cancelTask: true }],
    'unknown option "cancelTask". Did you mean "cancelTasks"?',
  ],
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
  [{ timeout: '3' }, 'timeout: expected a number of seconds above 0, found "3"'],
  [{ pollInterval: -1 }, 'pollInterval: expected a number of seconds above 0, found -1'],
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
  [
    'DataArtifacts.view',
    [[1], { rows: {} }],
    'rows: expected a string such as "0-10", a number or a list of numbers',
  ],
  [
    'DataArtifacts.view',
    [[1], { columns: 5 }],
    'columns: expected a string such as "name,age", or a list of strings',
  ],
  ['DataArtifacts.view', [[1], { rowRangeEnd: 'last' }], "rowRangeEnd: expected 'exclusive' or 'inclusive'"],
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
  [
    'minimizeMessage',
    [{ parts: [] }, { budget: 100, settings: { sendMessageCharacterLimit: '5' } }],
    'Expected sendMessageCharacterLimit to be a non-negative integer, found "5".',
  ],
  [
    'minimizeArtifacts',
    [[], { savedFilePaths: { a: './a.txt' } }],
    'savedFilePaths: expected an object in which each value is a list of strings',
  ],
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

test.each([
  [{ port: '8123' }, 'port: expected a port number from 0 to 65535, found "8123"'],
  [{}, 'port: expected a port number from 0 to 65535, found nothing'],
  [{ port: 0, token: '' }, 'token: expected a string that is not empty'],
  [{ port: 0, hostname: '::' }, 'unknown option "hostname". Valid options: port, host, token, onError.'],
])('MCP is not served over HTTP with the options %j', async (options, message) => {
  const untyped: object = options;
  await expect(serveMcpHttp(mcp, untyped as { port: number })).rejects.toThrow(message);
});

test('MCP is not served over something else than streams, or without a server', async () => {
  const streams = { input: new PassThrough(), output: new PassThrough() };
  const input = 'stdin' as unknown as PassThrough;
  expect(() => serveMcpStdio(mcp, { ...streams, input })).toThrow('input: expected a readable stream');
  expect(() => serveMcpStdio(tools as unknown as McpToolServer, streams)).toThrow(
    'server: expected new McpToolServer(…)',
  );
});

test('a tool is not called with options that do not exist', async () => {
  const options: object = { onupdate: () => {} };
  await expect(tools.getAgents(options)).rejects.toThrow(
    'unknown option "onupdate". Did you mean "onUpdate"?',
  );
});
