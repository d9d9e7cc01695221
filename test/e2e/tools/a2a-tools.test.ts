import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArtifactSettings, JSONTaskStore, type V03Event } from '@holdword/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSdkAgent } from '../client/start-sdk-agent.ts';
import { openTools, startTask, startTestAgent } from './open-tools.ts';
import { ABSTRACT, PAPERS, researchBot, SUMMARY, weatherAgent } from './research-bot.ts';

describe('the six tools', () => {
  test('getAgents returns names and descriptions, sorted by id', async () => {
    const tools = openTools({
      weather: await startTestAgent({ executor: weatherAgent }),
      'research-bot': await startTestAgent({ executor: researchBot }),
    });
    const agents = await tools.getAgents();
    expect(agents).toEqual({
      'research-bot': { name: 'Research Bot', description: 'Find and summarize research papers' },
      weather: { name: 'Weather Agent', description: 'Get weather forecasts for any location' },
    });
    expect(Object.keys(agents)).toEqual(['research-bot', 'weather']);
  });

  test('getAgent returns the skills as well', async () => {
    const tools = openTools({ 'research-bot': await startTestAgent({ executor: researchBot }) });
    expect(await tools.getAgent('research-bot')).toEqual({
      name: 'Research Bot',
      description: 'Find and summarize research papers',
      skills: [
        { name: 'Search Papers', description: 'Search for papers by topic, author, or keyword' },
        { name: 'Summarize Paper', description: 'Generate a summary of a specific paper' },
      ],
    });
  });

  test('sendMessage returns the task, and continues its conversation', async () => {
    const tools = openTools({ 'research-bot': await startTestAgent({ executor: researchBot }) });
    const result = await tools.sendMessage('research-bot', 'Find recent papers on quantum computing');
    expect(result).toEqual({
      id: expect.any(String),
      contextId: expect.any(String),
      kind: 'task',
      status: { state: 'completed', message: SUMMARY },
      artifacts: [
        {
          artifactId: 'art-789',
          description: 'Search results for quantum computing papers',
          name: 'Search Results',
          parts: [{ kind: 'data', data: PAPERS }],
        },
        {
          artifactId: 'art-790',
          description: "Abstract of 'Quantum Error Correction Advances' by Chen et al.",
          name: 'Abstract',
          parts: [{ kind: 'text', text: ABSTRACT }],
        },
      ],
    });
    const second = await tools.sendMessage(
      'research-bot',
      'Summarize the most recent result',
      String(result['contextId']),
    );
    expect(second['contextId']).toBe(result['contextId']);
    expect(second['id']).not.toBe(result['id']);
    expect(await tools.getTask('research-bot', String(result['id']))).toEqual(result);
  });

  test('viewTextArtifact returns a range of lines', async () => {
    const tools = openTools({ 'research-bot': await startTestAgent({ executor: researchBot }) });
    const { id } = await tools.sendMessage('research-bot', 'Find papers');
    expect(await tools.viewTextArtifact('research-bot', String(id), 'art-790', 1, 3)).toEqual({
      artifactId: 'art-790',
      description: "Abstract of 'Quantum Error Correction Advances' by Chen et al.",
      name: 'Abstract',
      parts: [
        {
          kind: 'text',
          text: 'Quantum computing has seen rapid advances in error correction.\nRecent work demonstrates fault-tolerant logical qubits at scale.\nThis paper surveys progress in quantum error correction from 2023-2025.',
        },
      ],
    });
  });

  test('viewDataArtifact returns rows and columns, including the last row', async () => {
    const tools = openTools({ 'research-bot': await startTestAgent({ executor: researchBot }) });
    const { id } = await tools.sendMessage('research-bot', 'Find papers');
    expect(
      await tools.viewDataArtifact('research-bot', String(id), 'art-789', undefined, '0-1', 'title,year'),
    ).toEqual({
      artifactId: 'art-789',
      description: 'Search results for quantum computing papers',
      name: 'Search Results',
      parts: [
        {
          kind: 'data',
          data: [
            { title: 'Quantum Error Correction Advances', year: 2025 },
            { title: 'Topological Quantum Computing Survey', year: 2024 },
          ],
        },
      ],
    });
  });
});

test('a question of the agent is answered in the same task', async () => {
  const tools = openTools({ agent: await startTestAgent() });
  const asked = await tools.sendMessage('agent', 'ask which one?');
  expect(asked).toMatchObject({ status: { state: 'input-required', message: 'which one?' } });
  const answered = await tools.sendMessage(
    'agent',
    'complete that one',
    String(asked['contextId']),
    String(asked['id']),
  );
  expect(answered).toMatchObject({
    id: asked['id'],
    status: { state: 'completed', message: 'that one' },
  });
});

test('a direct message is returned as a message', async () => {
  const { url } = await startSdkAgent({
    interfaces: [{ binding: 'JSONRPC', version: '1.0' }],
    streaming: true,
  });
  const result = await openTools({ agent: { url } }).sendMessage('agent', 'message good morning');
  expect(result).toMatchObject({ kind: 'message', parts: [{ kind: 'text', text: 'good morning' }] });
});

test('the status message can be an object', async () => {
  const tools = openTools({ agent: await startTestAgent() }, { statusMessage: 'message' });
  expect(await tools.sendMessage('agent', 'complete done')).toMatchObject({
    status: { state: 'completed', message: { kind: 'message', parts: [{ kind: 'text', text: 'done' }] } },
  });
});

test('a timeout returns the task in its current state; getTask continues to wait', async () => {
  const agent = await startTestAgent();
  const tools = openTools({ agent });
  const script = 'status thinking; wait gate; artifact answer 42; complete done';
  // Fetches the card first, so that the timeout covers only the wait.
  await tools.getAgents();
  const started = await tools.sendMessage('agent', script, null, null, 2);
  expect(started).toMatchObject({ status: { state: 'working' }, artifacts: [] });
  agent.gates.open('gate');
  expect(await tools.getTask('agent', String(started['id']))).toMatchObject({
    status: { state: 'completed', message: 'done' },
    artifacts: [{ artifactId: 'answer', parts: [{ kind: 'text', text: '42' }] }],
  });
});

describe('viewing', () => {
  test('shows the artifacts of a running task without waiting for its end', async () => {
    const agent = await startTestAgent();
    const tools = openTools({ agent });
    const script = 'artifact log one; wait first; append log two; wait second; complete';
    const id = await startTask(tools, 'agent', script);
    await agent.gates.reached('first');
    expect(await tools.viewTextArtifact('agent', id, 'log')).toMatchObject({ parts: [{ text: 'one' }] });
    agent.gates.open('first');
    await agent.gates.reached('second');
    expect(await tools.viewTextArtifact('agent', id, 'log')).toMatchObject({ parts: [{ text: 'onetwo' }] });
  });

  test('reads an ended task from the task store without calling the agent', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdword-tools-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const agent = await startTestAgent({ executor: researchBot });
    const session = { taskStore: new JSONTaskStore(folder) };
    const { id } = await openTools({ bot: agent }, { session }).sendMessage('bot', 'Find papers');
    const gone = openTools({ bot: { url: 'http://127.0.0.1:9' } }, { session });
    expect(await gone.viewTextArtifact('bot', String(id), 'art-790', 8)).toMatchObject({
      parts: [{ text: expect.stringMatching(/^Finally, /) }],
    });
  });

  test('fetches a task that is not in the task store from its agent', async () => {
    const agent = await startTestAgent({ executor: researchBot });
    const { id } = await openTools({ bot: agent }).sendMessage('bot', 'Find papers');
    expect(
      await openTools({ bot: agent }).viewDataArtifact('bot', String(id), 'art-789', '[1].year'),
    ).toMatchObject({
      parts: [{ kind: 'data', data: 2024 }],
    });
  });
});

function countWords(text: string): number {
  return text.split(/\s+/).length;
}

describe('the budget', () => {
  const LONG = 'word '.repeat(20_000);

  test('limits the whole reply', async () => {
    const tools = openTools({ agent: await startTestAgent() }, { budget: 5_000 });
    const script = `artifact a ${LONG}; artifact b ${LONG}; artifact c ${LONG}; complete ${LONG}`;
    const result = await tools.sendMessage('agent', script);
    expect(JSON.stringify(result).length).toBeLessThanOrEqual(5_000);
    expect(result).toMatchObject({
      status: { state: 'completed' },
      artifacts: [{ artifactId: 'a' }, { artifactId: 'b' }, { artifactId: 'c' }],
    });
  });

  test('can be counted in another unit', async () => {
    const tools = openTools({ agent: await startTestAgent() }, { budget: 300, count: countWords });
    const result = await tools.sendMessage('agent', `artifact a ${LONG}; complete`);
    expect(countWords(JSON.stringify(result))).toBeLessThanOrEqual(300);
  });

  test('shortened texts say how to view the rest', async () => {
    const artifactSettings = new ArtifactSettings({ sendMessageCharacterLimit: 1_000 });
    const tools = openTools({ agent: await startTestAgent() }, { artifactSettings, budget: 4_000 });
    const result = await tools.sendMessage('agent', `artifact a ${LONG}; complete`);
    expect(result).toMatchObject({
      artifacts: [
        {
          parts: [
            {
              _total_characters: 99_999,
              _tip: 'Text was minimized. Call viewTextArtifact() to see specific line ranges.',
            },
          ],
        },
      ],
    });
  });
});

test('aborting stops the wait, not the agent', async () => {
  const agent = await startTestAgent();
  const tools = openTools({ agent });
  const id = await startTask(tools, 'agent', 'status thinking; wait gate; complete');
  const abort = new AbortController();
  const waiting = tools.getTask('agent', id, null, null, { signal: abort.signal });
  abort.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  agent.gates.open('gate');
  expect(await tools.getTask('agent', id)).toMatchObject({ status: { state: 'completed' } });
});

test('updates are reported while the task is running', async () => {
  const agent = await startTestAgent();
  const kinds: string[] = [];
  const onUpdate = ({ kind }: V03Event) => {
    // The first is the task itself, before its stream has started.
    if (kinds.push(kind) > 1) agent.gates.open('gate');
  };
  const script = 'status thinking; wait gate; artifact answer 42; complete';
  await openTools({ agent }).sendMessage('agent', script, null, null, null, { onUpdate });
  expect(kinds[0]).toBe('task');
  expect(kinds).toEqual(expect.arrayContaining(['artifact-update', 'status-update']));
});
