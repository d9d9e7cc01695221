import { A2AAgents, A2ASession, A2ATools } from '@holdword/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { spawnHoldword, type ServedHoldword } from '../../support/spawn-holdword.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { CARRIERS, connectMcp, ERAS, resultOf, type McpConnection } from './connect-mcp.ts';

let demo: ServedHoldword;
beforeAll(async () => {
  demo = await spawnHoldword(['--store', 'memory']);
});
afterAll(() => demo.kill());

/** The states of the demo agent's tasks in a conversation, as another client sees them. */
async function statesIn(contextId: string): Promise<unknown[]> {
  const agents = new A2AAgents({ demo: { url: demo.target.baseUrl } });
  onTestFinished(() => agents.close());
  const { tasks } = await new A2ATools(new A2ASession(agents)).listTasks('demo', contextId);
  return (tasks as { state: string }[]).map(({ state }) => state);
}

/** Cancels a call as soon as its task runs. */
async function cancelCall({ client }: McpConnection, contextId: string): Promise<void> {
  const abort = new AbortController();
  const running = client.callTool(
    { name: 'sendMessage', arguments: { agentId: 'demo', message: 'wait 3600', contextId } },
    { signal: abort.signal, onprogress: () => abort.abort() },
  );
  await expect(running).rejects.toThrow();
  // The connection still works.
  const agents = await client.callTool({ name: 'getAgents', arguments: {} });
  expect(resultOf(agents)).toHaveProperty('demo');
}

/** Progress that was in flight when its call was canceled: the client no longer knows the call. */
function isLateProgress({ message }: Error): boolean {
  return message.includes('progress notification for an unknown token');
}

const TRANSPORTS = CARRIERS.flatMap((carrier) => ERAS.map((era) => ({ carrier, era })));

describe.each(TRANSPORTS)('over $carrier, era $era', (transport) => {
  let connection: McpConnection;
  const connect = (...words: string[]) =>
    connectMcp(['--agent', `demo=${demo.target.baseUrl}`, ...words], transport);
  beforeAll(async () => {
    connection = await connect('--extra-tools', 'searchArtifact');
  });
  afterAll(() => connection.close());
  const call = (name: string, input: Record<string, unknown>) =>
    connection.client.callTool({ name, arguments: input });

  test('tools are listed', async () => {
    const { client } = connection;
    expect(client.getProtocolEra()).toBe(transport.era === 'legacy' ? 'legacy' : 'modern');
    expect(client.getServerVersion()).toMatchObject({ name: 'holdword' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'getAgents',
      'getAgent',
      'sendMessage',
      'getTask',
      'viewTextArtifact',
      'viewDataArtifact',
      'searchArtifact',
    ]);
    expect(tools.find(({ name }) => name === 'sendMessage')).toMatchObject({
      title: 'Send a message to an agent',
      annotations: { readOnlyHint: false, openWorldHint: true },
      inputSchema: { type: 'object', required: ['agentId', 'message'] },
    });
    expect(tools.find(({ name }) => name === 'getTask')?.annotations).toMatchObject({ readOnlyHint: true });
  });

  test('tools can be called, and errors are explained', async () => {
    const sent = await call('sendMessage', { agentId: 'demo', message: 'table' });
    expect(sent.isError).toBeFalsy();
    expect(resultOf(sent)).toMatchObject({
      kind: 'task',
      status: { state: 'completed', message: 'Four planets as a table.' },
      artifacts: [{ artifactId: 'table', name: 'planets' }],
    });
    const wrong = await call('getAgent', { agentId: 'nobody' });
    expect(wrong.isError).toBe(true);
    expect(resultOf(wrong)).toMatchObject({ error: true, error_message: expect.stringContaining('demo') });
  });

  test('progress is reported while a task runs', async () => {
    const messages: (string | undefined)[] = [];
    const result = await connection.client.callTool(
      { name: 'sendMessage', arguments: { agentId: 'demo', message: 'wait 1' } },
      { onprogress: ({ message }) => messages.push(message) },
    );
    expect(resultOf(result)).toMatchObject({ status: { state: 'completed' } });
    expect(messages).toContain('working: Waiting 1 s.');
    expect(connection.nonsense).toEqual([]);
  });

  test('canceling a call leaves the task running', async () => {
    const contextId = `left-${transport.carrier}-${transport.era}`;
    await cancelCall(connection, contextId);
    expect(await statesIn(contextId)).toEqual(['working']);
  });

  test('canceling a call cancels the task with --on-cancel cancel', async () => {
    const contextId = `canceled-${transport.carrier}-${transport.era}`;
    const canceling = await connect('--on-cancel', 'cancel');
    onTestFinished(() => canceling.close());
    await cancelCall(canceling, contextId);
    await waitUntil('the task to be canceled', async () => (await statesIn(contextId))[0] === 'canceled');
  });

  test('agents and artifacts are resources', async () => {
    const { client } = connection;
    const agents = await client.readResource({ uri: 'a2a://agents' });
    expect(agents.contents).toMatchObject([
      { mimeType: 'application/json', text: expect.stringContaining('Holdword demo agent') },
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'a2a://{agent}/{task}/{artifact}' }]);

    const uris = new Map<string, string>();
    for (const message of ['echo one/two', 'table', 'file']) {
      const { id, artifacts } = resultOf(await call('sendMessage', { agentId: 'demo', message }));
      const [artifact] = artifacts as { artifactId: string }[];
      uris.set(message, `a2a://demo/${String(id)}/${artifact?.artifactId}`);
    }
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining(['a2a://agents', ...uris.values()]),
    );
    const read = async (message: string) =>
      (await client.readResource({ uri: uris.get(message) ?? '' })).contents;
    expect(await read('echo one/two')).toMatchObject([{ mimeType: 'text/plain', text: 'one/two' }]);
    const [table] = await read('table');
    expect(table).toMatchObject({ mimeType: 'application/json', text: expect.stringContaining('Mercury') });
    const [file] = await read('file');
    expect(file).toMatchObject({ mimeType: 'text/csv' });
    const bytes = file !== undefined && 'blob' in file ? Buffer.from(file.blob, 'base64').toString() : '';
    expect(bytes).toContain('Mercury');
    await expect(client.readResource({ uri: 'a2a://demo/no-such-task/a' })).rejects.toThrow(/task/i);
  });

  test('only MCP messages were written', () => {
    expect(connection.nonsense.filter((error) => !isLateProgress(error))).toEqual([]);
  });
});
