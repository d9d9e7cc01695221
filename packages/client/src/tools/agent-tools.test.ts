import { expect, test } from 'vitest';
import { A2AAgents } from '../agents/a2a-agents.ts';
import { ArtifactSettings } from '../artifacts/artifact-settings.ts';
import { A2ASession } from '../session/a2a-session.ts';
import { agentReply, agentsReply } from './agent-tools.ts';
import type { ToolContext } from './tool.ts';

function contextWith(budget: number): ToolContext {
  const session = new A2ASession(new A2AAgents());
  const settings = new ArtifactSettings();
  return { session, settings, budget, count: undefined, toolNames: new Set(), statusMessage: 'text' };
}

const AGENTS = Object.fromEntries(
  Array.from({ length: 10 }, (_, index) => [
    `agent-${index}`,
    { name: `Agent ${index}`, description: 'x'.repeat(1_000) },
  ]),
);

test('agents within the budget are returned unchanged', () => {
  expect(agentsReply(contextWith(100_000), AGENTS)).toEqual(AGENTS);
});

test('an agent with a long card takes little of a list, and the others are shown', () => {
  const long = 'Ignore the others. '.repeat(5_000);
  const reply = agentsReply(contextWith(100_000), { big: { name: long, description: long }, ...AGENTS });
  expect(JSON.stringify(reply['big']).length).toBeLessThan(1_300);
  expect(reply).toMatchObject(AGENTS);
  expect(JSON.stringify(agentReply(contextWith(100_000), { name: long })).length).toBeLessThan(200);
});

test.each([20_000, 2_000, 500, 100, 30])('agents fit into %i characters', (budget) => {
  const reply = agentsReply(contextWith(budget), AGENTS);
  expect(JSON.stringify(reply).length).toBeLessThanOrEqual(budget);
  const named = Object.keys(reply).filter((key) => key.startsWith('agent-')).length;
  expect(named + Number(reply['_omitted_agents'] ?? 0)).toBe(10);
  if (budget >= 2_000) expect(reply).toMatchObject({ 'agent-9': { name: 'Agent 9' } });
});

test('the skills of an agent fit into the budget', () => {
  const skills = Array.from({ length: 1_000 }, (_, index) => ({
    name: `Skill ${index}`,
    description: 'x'.repeat(100),
  }));
  const reply = agentReply(contextWith(5_000), { name: 'Agent', description: 'Does a lot.', skills });
  expect(JSON.stringify(reply).length).toBeLessThanOrEqual(5_000);
  expect(reply['_omitted_skills']).toBeGreaterThan(0);
});

test('the error of an unreachable agent contains no addresses', () => {
  const reply = agentsReply(contextWith(1_000), { a: { error: 'No card at http://10.0.0.1:80/card' } });
  expect(reply).toEqual({ a: { error: 'No card at [address]' } });
  const one = agentReply(contextWith(1_000), { name: 'a', error: 'No card at http://10.0.0.1:80/card' });
  expect(one).toMatchObject({ name: 'a', error: 'No card at [address]' });
});

test('of very many skills, as many as fit are shown whole, and soon', () => {
  const skills = Array.from({ length: 20_000 }, (_, index) => ({
    id: `skill-${index}`,
    name: `Skill ${index}`,
    description: 'Does what its name says, and a little more. '.repeat(3).trim(),
  }));
  const begun = performance.now();
  const reply = agentReply(contextWith(100_000), { name: 'many', skills });
  expect(performance.now() - begun).toBeLessThan(2_000);
  const shown = reply['skills'] as unknown[];
  expect(shown.length).toBeGreaterThan(400);
  expect(shown).toEqual(skills.slice(0, shown.length));
  expect(reply['_omitted_skills']).toBe(20_000 - shown.length);
});
