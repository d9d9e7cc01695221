import { nearestName } from '@holdword/protocol/internal';
import type { z } from 'zod';
import { AgentOptionsError } from '../executors/executor-errors.ts';

/** The part of an agent kind that its options are validated against. */
interface OptionsOwner<Options> {
  readonly name: string;
  readonly options: z.ZodObject & z.ZodType<Options>;
  readonly mainOption?: string;
}

/**
 * Validates the options of an agent. Names with underscores (`session_id`) are accepted as well, and null counts as absent.
 *
 * @throws AgentOptionsError that names the option, what was expected and what was found.
 */
export function readOptions<Options>(
  agent: OptionsOwner<Options>,
  given: Readonly<Record<string, unknown>>,
): Options {
  const valid = Object.keys(agent.options.shape);
  const options: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    const known = toCamelCase(name);
    if (!valid.includes(known)) throw unknownOption(agent.name, name, valid);
    if (known in options) {
      throw new AgentOptionsError(
        `The option ${known} of agent ${agent.name} is given twice, also as ${name}. Remove one of them.`,
      );
    }
    options[known] = value;
  }
  const result = agent.options.safeParse(options);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const name = String(issue?.path[0] ?? '');
  const value = options[name];
  if (value === undefined) throw missingOption(agent, name);
  throw new AgentOptionsError(
    `Invalid option ${name} of agent ${agent.name}: ${issue?.message}, found ${kindOf(value)}.`,
  );
}

/** Describes a value without repeating it: it may be a secret in the wrong option. */
function kindOf(value: unknown): string {
  if (value === '') return 'an empty string';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** `session_id` as `sessionId`. */
export function toCamelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function missingOption(agent: OptionsOwner<unknown>, option: string): AgentOptionsError {
  const path = `agentOptions.${agent.name}.${option}`;
  const short = `write ${agent.name}:"${option.toUpperCase()}", or set the option (${path} in holdword.config.json)`;
  return new AgentOptionsError(
    `Agent ${agent.name} needs the option ${option}${option === agent.mainOption ? `: ${short}.` : '.'}`,
  );
}

function unknownOption(agent: string, name: string, valid: readonly string[]): AgentOptionsError {
  const nearest = nearestName(toCamelCase(name), valid);
  return new AgentOptionsError(
    `Unknown option "${name}" of agent ${agent}. ` +
      (nearest === undefined ? `Valid options are ${valid.join(', ')}.` : `Did you mean "${nearest}"?`),
  );
}
