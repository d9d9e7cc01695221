import { ArtifactSettings, type ToolResult } from '@holdword/client';
import { describe, expect, test } from 'vitest';
import { openTools, startTestAgent } from './open-tools.ts';
import { researchBot } from './research-bot.ts';

/** Checks what all errors have in common: they are data, and contain nothing that a model must not see. */
function messageOf(result: ToolResult): string {
  expect(result).toEqual({ error: true, error_message: expect.any(String) });
  const message = String(result['error_message']);
  expect(message).not.toMatch(/https?:|127\.0\.0\.1|secret|\n\s+at /);
  return message;
}

test('an unknown agent is answered with the known ones', async () => {
  const tools = openTools({ one: { url: 'http://127.0.0.1:9' }, two: { url: 'http://127.0.0.1:9' } });
  const message = 'There is no agent "three". Agents: one, two. Correct the arguments and call again.';
  expect(messageOf(await tools.getAgent('three'))).toBe(message);
  expect(messageOf(await tools.sendMessage('three', 'hello'))).toBe(message);
  expect(messageOf(await tools.getTask('three', 'task'))).toBe(message);
  expect(messageOf(await tools.viewTextArtifact('three', 'task', 'artifact'))).toBe(message);
});

test('an unreachable agent is reported without its address', async () => {
  const entry = { url: 'http://127.0.0.1:9/card.json', custom_headers: { 'X-API-Key': 'secret' } };
  const tools = openTools({ away: entry });
  for (const result of [
    await tools.sendMessage('away', 'hello', null, null, 2),
    await tools.getTask('away', 'task', 2),
    await tools.viewDataArtifact('away', 'task', 'artifact'),
  ]) {
    expect(messageOf(result)).toMatch(/The card of agent "away" could not be fetched: .* Call getAgents/);
  }
});

test('an unreachable agent does not hide the others', async () => {
  const tools = openTools({
    away: { url: 'http://127.0.0.1:9' },
    bot: await startTestAgent({ executor: researchBot }),
  });
  expect(await tools.getAgents()).toEqual({
    away: { error: expect.stringMatching(/^The card of agent "away" could not be fetched/) },
    bot: { name: 'Research Bot', description: 'Find and summarize research papers' },
  });
});

test('a missing credential is left to the user', async () => {
  const agent = await startTestAgent({ apiKeys: true });
  const message = messageOf(await openTools({ agent }).sendMessage('agent', 'complete'));
  expect(message).toContain('Tell the user');
});

test('an unknown task is reported', async () => {
  const tools = openTools({ agent: await startTestAgent() });
  expect(messageOf(await tools.getTask('agent', 'no-such-task'))).toContain(
    'Check the agent id and the task id',
  );
  expect(messageOf(await tools.viewTextArtifact('agent', 'no-such-task', 'a'))).toContain('task');
  expect(messageOf(await tools.cancelTask('agent', 'no-such-task'))).toContain('task');
});

describe('artifacts', () => {
  test('that do not exist are answered with those that do', async () => {
    const tools = openTools({ bot: await startTestAgent({ executor: researchBot }) });
    const { id } = await tools.sendMessage('bot', 'Find papers');
    expect(messageOf(await tools.viewTextArtifact('bot', String(id), 'art-1'))).toContain(
      'has no artifact "art-1". Its artifacts: art-789, art-790.',
    );
  });

  test('of another kind are answered with the tool for that kind', async () => {
    const tools = openTools({ bot: await startTestAgent({ executor: researchBot }) });
    const id = String((await tools.sendMessage('bot', 'Find papers'))['id']);
    expect(messageOf(await tools.viewTextArtifact('bot', id, 'art-789'))).toContain('viewDataArtifact');
    expect(messageOf(await tools.viewDataArtifact('bot', id, 'art-790'))).toContain('viewTextArtifact');
  });

  test('that are too large, or empty in the requested range, are reported', async () => {
    const tools = openTools(
      { bot: await startTestAgent({ executor: researchBot }) },
      { artifactSettings: new ArtifactSettings({ viewArtifactCharacterLimit: 100 }) },
    );
    const id = String((await tools.sendMessage('bot', 'Find papers'))['id']);
    expect(messageOf(await tools.viewTextArtifact('bot', id, 'art-790'))).toContain('8 lines');
    expect(messageOf(await tools.viewTextArtifact('bot', id, 'art-790', 9))).toContain('between 1 and 8');
    expect(messageOf(await tools.viewDataArtifact('bot', id, 'art-789'))).toContain(
      'Narrow it down with jsonPath, rows or columns.',
    );
    expect(messageOf(await tools.viewDataArtifact('bot', id, 'art-789', null, '0', 'pages'))).toContain(
      'title, year, authors',
    );
  });
});

test('invalid arguments are named', async () => {
  const tools = openTools({ agent: await startTestAgent() });
  expect(messageOf(await tools.sendMessage('agent', ''))).toContain('message');
  expect(messageOf(await tools.sendMessage('agent', 'complete', null, null, -1))).toContain('timeout');
});
