import { nearestName } from '@holdword/protocol/internal';
import type { z } from 'zod';

/**
 * Options of an agent as its schema takes them. Names with underscores (`session_id`) are taken as well, and null counts as
 * absent. Throws an error that names the option, what was expected and what was found.
 */
export function readOptions<Options>(
  agent: string,
  schema: z.ZodObject & z.ZodType<Options>,
  given: Readonly<Record<string, unknown>>,
): Options {
  const valid = Object.keys(schema.shape);
  const options: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    const known = toCamelCase(name);
    if (!valid.includes(known)) throw new Error(unknownOption(agent, name, valid));
    if (known in options) {
      throw new Error(
        `The option ${known} of the agent ${agent} is given twice, as ${name} too. Remove one.`,
      );
    }
    options[known] = value;
  }
  const result = schema.safeParse(options);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const name = String(issue?.path[0] ?? '');
  const value = options[name];
  throw new Error(`The option ${name} of the agent ${agent}: ${issue?.message}, found ${kindOf(value)}.`);
}

/** A value may be a secret that stands in the wrong place: its kind says enough. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === '') return 'an empty one';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** `session_id` as it is called here. */
export function toCamelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function unknownOption(agent: string, name: string, valid: readonly string[]): string {
  const nearest = nearestName(toCamelCase(name), valid);
  return (
    `The agent ${agent} has no option "${name}"` +
    (nearest === undefined ? `; it has ${valid.join(', ')}.` : `; did you mean "${nearest}"?`)
  );
}
