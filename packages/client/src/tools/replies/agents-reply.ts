import { compactJsonLength } from '../../artifacts/data/json-length.ts';
import { shortenText } from '../../artifacts/data/shorten.ts';
import { fitIntoBudget } from '../../llm/reply/fit-into-budget.ts';
import { fits, largestForm, once, type Fittable } from '../../llm/reply/fittable.ts';
import { tidyMessage } from '../tool-error.ts';
import type { ToolContext, ToolResult } from '../tool.ts';

/** Cards are written by others: a long one must not take the room of all the rest. */
const MAX_TEXT_LENGTH = 10_000;

/** What a model is told of all agents, within the budget: first texts are cut, then agents at the end are left out. */
export function agentsReply(context: ToolContext, agents: Record<string, ToolResult>): ToolResult {
  const shown = Object.entries(agents).map(([agentId, { error, ...agent }]): [string, ToolResult] => [
    agentId,
    typeof error === 'string' ? { error: tidyMessage(error) } : agent,
  ]);
  const pieces = fittableEntries(shown.length, (amount, longest) => ({
    ...withShortTexts(Object.fromEntries(shown.slice(0, amount)), longest),
    ...(amount < shown.length && { _omitted_agents: shown.length - amount }),
  }));
  return fitIntoBudget(pieces, context);
}

/** What a model is told of one agent, within the budget: first texts are cut, then skills at the end are left out. */
export function agentReply(context: ToolContext, { skills, ...agent }: ToolResult): ToolResult {
  const list: readonly unknown[] = Array.isArray(skills) ? skills : [];
  const pieces = fittableEntries(list.length, (amount, longest) => ({
    ...withShortTexts({ ...agent, skills: list.slice(0, amount) }, longest),
    ...(amount < list.length && { _omitted_skills: list.length - amount }),
  }));
  return fitIntoBudget(pieces, context);
}

/** All entries with texts that are as long as there is room for; otherwise fewer, with the shortest texts. */
function fittableEntries(
  total: number,
  form: (amount: number, longestText: number) => ToolResult,
): Fittable<ToolResult> {
  const full = once(() => form(total, MAX_TEXT_LENGTH));
  const shortest = form(0, 0);
  const least = compactJsonLength(shortest);
  return {
    full,
    least: Math.min(least, compactJsonLength(full(), least)),
    wanted: once(() => compactJsonLength(full())),
    fit(length) {
      if (fits(full(), length)) return full();
      const withAll = largestForm(MAX_TEXT_LENGTH, length, (longest) => form(total, longest));
      return withAll ?? largestForm(total, length, (amount) => form(amount, 0)) ?? shortest;
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
