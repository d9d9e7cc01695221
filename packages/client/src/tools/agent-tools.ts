import { A2AError } from '@holdword/protocol';
import { z } from 'zod';
import { compactJsonLength } from '../artifacts/json-length.ts';
import { shortenText } from '../artifacts/shorten.ts';
import { fitIntoBudget, fits, type Fittable, largestForm, lazy } from '../llm/fittable.ts';
import { tidyMessage } from './tool-error.ts';
import { defineTool, field, READ_ONLY, type ToolContext, type ToolResult } from './tool.ts';

export const getAgents = defineTool({
  name: 'getAgents',
  title: 'List agents',
  description:
    'List all available agents with their names and descriptions. Use this first, to find the agent whose description ' +
    'fits the work. The keys of the result are the agent IDs that the other tools take. An agent with an "error" cannot ' +
    'be reached at the moment.',
  inputSchema: z.object({}),
  annotations: READ_ONLY,
  async run(context) {
    return agentsReply(context, await context.session.agents.getAgentsForLlm('basic'));
  },
});

export const getAgent = defineTool({
  name: 'getAgent',
  title: 'Describe an agent',
  description:
    'Get detailed information about a specific agent, including its skills. Use this before sendMessage if the ' +
    'description from getAgents is not enough to know what the agent can do or how to ask it.',
  inputSchema: z.object({ agentId: field.agentId('ID of the agent (from getAgents)') }),
  annotations: READ_ONLY,
  async run(context, input) {
    const { agents } = context.session;
    const agent = await agents.getAgentForLlm(input.agentId, 'full');
    if (agent !== null) return agentReply(context, agent);
    const known = agents.agentIds.length === 0 ? 'none' : agents.agentIds.join(', ');
    throw new A2AError('INVALID_PARAMS', `There is no agent "${input.agentId}". Agents: ${known}.`);
  },
});

/** Cards are written by others: a long one must not take up the whole budget. */
const MAX_TEXT_LENGTH = 10_000;

/** In a list, an agent must not take the space of the others, and a name is none if it is a page long. */
const MAX_NAME_LENGTH = 120;
const MAX_LISTED_DESCRIPTION = 1_000;

function listed(agent: ToolResult): ToolResult {
  const { description } = agent;
  const short = withShortName(agent);
  return typeof description === 'string'
    ? { ...short, description: shortenText(description, MAX_LISTED_DESCRIPTION) }
    : short;
}

function withShortName(agent: ToolResult): ToolResult {
  const { name } = agent;
  return typeof name === 'string' ? { ...agent, name: shortenText(name, MAX_NAME_LENGTH) } : agent;
}

/** Fits the list of agents into the budget: first shortens texts, then omits agents at the end. */
export function agentsReply(context: ToolContext, agents: Record<string, ToolResult>): ToolResult {
  const shown = Object.entries(agents).map(([agentId, agent]): [string, ToolResult] => [
    agentId,
    withTidyError(listed(agent)),
  ]);
  const pieces = fittableEntries(shown.length, 0, (amount, longest) => ({
    ...withShortTexts(Object.fromEntries(shown.slice(0, amount)), longest),
    ...(amount < shown.length && { _omitted_agents: shown.length - amount }),
  }));
  return fitIntoBudget(pieces, context);
}

/** Fits the description of an agent into the budget: first shortens long texts, then omits skills at the end. */
export function agentReply(context: ToolContext, { skills, ...described }: ToolResult): ToolResult {
  const agent = withTidyError(withShortName(described));
  const list: readonly unknown[] = Array.isArray(skills) ? skills : [];
  const pieces = fittableEntries(list.length, MIN_SKILL_TEXT_LENGTH, (amount, longest) => ({
    ...withShortTexts({ ...agent, skills: list.slice(0, amount) }, longest),
    ...(amount < list.length && { _omitted_skills: list.length - amount }),
  }));
  return fitIntoBudget(pieces, context);
}

function withTidyError({ error, ...agent }: ToolResult): ToolResult {
  return typeof error === 'string' ? { ...agent, error: tidyMessage(error) } : agent;
}

/** Shorter texts do not tell what an agent can do: fewer skills tell more. */
const MIN_SKILL_TEXT_LENGTH = 200;

/**
 * All entries with the longest texts that fit; if these would be shorter than the shortest useful text, fewer entries, whole if
 * one fits.
 */
function fittableEntries(
  total: number,
  shortestText: number,
  form: (amount: number, longestText: number) => ToolResult,
): Fittable<ToolResult> {
  const full = lazy(() => form(total, MAX_TEXT_LENGTH));
  const shortest = form(0, 0);
  const minLength = compactJsonLength(shortest);
  return {
    full,
    minLength: Math.min(minLength, compactJsonLength(full(), minLength)),
    fullLength: lazy(() => compactJsonLength(full())),
    fit(length) {
      if (fits(full(), length)) return full();
      if (fits(form(total, shortestText), length)) {
        const spread = MAX_TEXT_LENGTH - shortestText;
        return largestForm(spread, length, (more) => form(total, shortestText + more)) ?? shortest;
      }
      const useful = shortestText === 0 ? [] : [MAX_TEXT_LENGTH, shortestText];
      const longest = useful.find((text) => fits(form(1, text), length)) ?? 0;
      return largestForm(total, length, (amount) => form(amount, longest)) ?? shortest;
    },
  };
}

function withShortTexts(object: Record<string, unknown>, longest: number): ToolResult {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, withShortText(value, longest)]),
  );
}

function withShortText(value: unknown, longest: number): unknown {
  if (typeof value === 'string') return shortenText(value, longest);
  if (Array.isArray(value)) return value.map((item) => withShortText(item, longest));
  return typeof value === 'object' && value !== null ? withShortTexts({ ...value }, longest) : value;
}
