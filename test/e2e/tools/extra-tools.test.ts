import { expect, test } from 'vitest';
import { openTools, startTask, startTestAgent } from './open-tools.ts';
import { researchBot } from './research-bot.ts';

test('cancelTask stops the work of an agent', async () => {
  const agent = await startTestAgent();
  const tools = openTools({ agent });
  const id = await startTask(tools, 'agent', 'status thinking; wait gate');
  expect(await tools.cancelTask('agent', id)).toMatchObject({ id, status: { state: 'canceled' } });
  await agent.gates.abandoned('gate');
});

test('listTasks returns pages of tasks, newest first', async () => {
  const tools = openTools({ agent: await startTestAgent() });
  const first = await tools.sendMessage('agent', 'complete first');
  for (let number = 2; number <= 21; number += 1) await tools.sendMessage('agent', `complete ${number}`);
  const asked = await tools.sendMessage('agent', 'ask what?');
  const page = await tools.listTasks('agent');
  expect(page).toMatchObject({
    totalSize: 22,
    tasks: [
      { id: asked['id'], contextId: asked['contextId'], state: 'input-required', message: 'what?' },
      { state: 'completed', message: '21' },
      ...Array.from({ length: 18 }, () => expect.anything()),
    ],
  });
  const rest = await tools.listTasks('agent', null, null, String(page['nextPageToken']));
  expect(rest).toMatchObject({ nextPageToken: '', tasks: [{ message: '2' }, { id: first['id'] }] });
  expect(await tools.listTasks('agent', null, 'input-required')).toMatchObject({
    totalSize: 1,
    tasks: [{ id: asked['id'] }],
  });
  expect(await tools.listTasks('agent', String(first['contextId']))).toMatchObject({ totalSize: 1 });
});

test('searchArtifact finds lines of text and rows of data', async () => {
  const tools = openTools({ bot: await startTestAgent({ executor: researchBot }) });
  const id = String((await tools.sendMessage('bot', 'Find papers'))['id']);
  expect(await tools.searchArtifact('bot', id, 'art-790', 'FAULT-tolerant', { contextLines: 1 })).toEqual({
    artifactId: 'art-790',
    description: "Abstract of 'Quantum Error Correction Advances' by Chen et al.",
    name: 'Abstract',
    _total_matches: 2,
    matches: [
      {
        line: 2,
        text: 'Recent work demonstrates fault-tolerant logical qubits at scale.',
        before: ['Quantum computing has seen rapid advances in error correction.'],
        after: ['This paper surveys progress in quantum error correction from 2023-2025.'],
      },
      {
        line: 8,
        text: 'Finally, we outline a roadmap for achieving fault-tolerant quantum computation.',
        before: ['We also discuss remaining challenges in qubit connectivity.'],
        after: [],
      },
    ],
  });
  const rows = await tools.searchArtifact('bot', id, 'art-789', '2024', { column: 'year', skip: 1 });
  expect(rows).toMatchObject({
    _total_matches: 2,
    matches: [{ row: 2, value: { title: 'Fault-Tolerant Logical Qubits' } }],
  });
});
