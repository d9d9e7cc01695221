import { expect, test } from 'vitest';
import { A2AAgents } from '../agents/a2a-agents.ts';
import { A2ASession } from '../session/a2a-session.ts';
import { A2ATools, EXTRA_TOOL_NAMES, type A2AToolsOptions } from './a2a-tools.ts';

const SIX = ['getAgents', 'getAgent', 'sendMessage', 'getTask', 'viewTextArtifact', 'viewDataArtifact'];

function openTools(options?: A2AToolsOptions): A2ATools {
  return new A2ATools(new A2ASession(new A2AAgents()), options);
}

function namesOf(tools: A2ATools): string[] {
  return tools.definitions().map(({ name }) => name);
}

test('extra tools are disabled by default', () => {
  expect(namesOf(openTools())).toEqual(SIX);
  expect(namesOf(openTools({ extraTools: ['listTasks'] }))).toEqual([...SIX, 'listTasks']);
  expect(namesOf(openTools({ extraTools: EXTRA_TOOL_NAMES }))).toEqual([...SIX, ...EXTRA_TOOL_NAMES]);
});

test('every tool has a description, and so has each input', () => {
  for (const tool of openTools({ extraTools: EXTRA_TOOL_NAMES }).definitions()) {
    expect(tool.description.length, tool.name).toBeGreaterThan(50);
    const { properties = {} } = tool.inputJsonSchema as {
      properties?: Record<string, { description?: string }>;
    };
    for (const [name, property] of Object.entries(properties)) {
      expect(property.description, `${tool.name}.${name}`).toBeTruthy();
    }
  }
});

test('inputs are a Standard Schema and a JSON Schema', async () => {
  const tool = openTools()
    .definitions()
    .find(({ name }) => name === 'sendMessage');
  expect(tool?.inputJsonSchema).toMatchObject({
    type: 'object',
    required: ['agentId', 'message'],
    properties: { agentId: { type: 'string' }, message: { type: 'string' } },
  });
  const checked = await tool?.inputSchema['~standard'].validate({ agentId: 'a', message: 'b', taskId: null });
  expect(checked).toEqual({ value: { agentId: 'a', message: 'b', taskId: null } });
  expect(await tool?.inputSchema['~standard'].validate({})).toHaveProperty('issues');
});

test("a tool is executed with a model's input", async () => {
  const [getAgents, getAgent] = openTools().definitions();
  expect(await getAgents?.execute({})).toEqual({});
  expect(await getAgent?.execute({ agent: 'x' })).toEqual({
    error: true,
    error_message: expect.stringContaining('agentId'),
  });
  await expect(getAgents?.execute({}, { signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow(
    'stop',
  );
});

test('a budget must be a non-negative integer', () => {
  expect(() => openTools({ budget: -1 })).toThrow('budget: expected a non-negative integer, found -1');
});

test.each([
  [
    'sendMessage',
    { agentId: 'demo', message: 'hi', contextID: 'c' },
    'There is no argument "contextID". Did you mean "contextId"?',
  ],
  ['getAgents', { x: 1 }, 'There is no argument "x". This tool takes no arguments.'],
])('%s refuses arguments that it does not have', async (name, input, expected) => {
  const session = new A2ASession(new A2AAgents({ demo: { url: 'http://127.0.0.1:1' } }));
  const tool = new A2ATools(session).definitions().find((each) => each.name === name);
  expect(await tool?.execute(input)).toEqual({
    error: true,
    error_message: expect.stringContaining(expected) as string,
  });
});

test.each([
  [{ extraTools: ['canceltask'] }, 'extraTools: expected a list of cancelTask, listTasks, searchArtifact'],
  [{ artifactSettings: { sendMessageCharacterLimit: Number.NaN } }, 'sendMessageCharacterLimit'],
])('the options %j are refused', (options, expected) => {
  expect(() => openTools(options as A2AToolsOptions)).toThrow(expected);
});
