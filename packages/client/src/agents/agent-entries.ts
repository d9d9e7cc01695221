import { readFileSync } from 'node:fs';
import { z } from 'zod';

const ISSUES_SHOWN = 3;

/** A header's name as HTTP has it. */
const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'expected the name of an HTTP header');
const headerValue = z
  .string({ error: 'expected a string' })
  .regex(/^[^\r\n\0]*$/, 'expected a header without line breaks');
const webUrl = z.url({ protocol: /^https?$/, error: 'expected an http or https URL' });
const origin = webUrl.refine((text) => URL.canParse(text) && new URL(text).origin === text, {
  error: 'expected an origin such as https://agents.example:8443, without a path',
});

export const agentEntrySchema = z.strictObject(
  {
    /** Of the agent's card; an address without a path means its usual place. */
    url: webUrl,
    /** Sent with every call to the agent. `${NAME}` is replaced by the environment variable of that name. */
    custom_headers: z
      .record(headerName, headerValue, { error: 'expected an object with headers by their names' })
      .optional(),
    /** Further origins that may be given the headers, for agents that are called elsewhere than their card is. */
    trusted_origins: z.array(origin, { error: 'expected a list' }).optional(),
  },
  { error: 'expected an object with a url' },
);
export type AgentEntry = z.infer<typeof agentEntrySchema>;

const ID = 'expected an id of 1 to 128 characters';
export const agentIdSchema = z.string().min(1, ID).max(128, ID);

const entriesSchema = z.record(agentIdSchema, agentEntrySchema, {
  error: 'expected an object with agents by their ids',
});

/** Checks what a user gave: entries by agent id, or the path of a JSON file that holds them. */
export function readAgentEntries(source: unknown): Record<string, AgentEntry> {
  const entries = typeof source === 'string' ? readFile(source) : source;
  const result = entriesSchema.safeParse(entries);
  if (result.success) return result.data;
  const where = typeof source === 'string' ? `${source}: ` : '';
  throw new Error(`${where}Agents are not as expected. ${explain(result.error.issues, entries)}.`);
}

export function readAgentEntry(agentId: string, entry: unknown): AgentEntry {
  return readAgentEntries({ [agentId]: entry })[agentId] ?? agentEntrySchema.parse(entry);
}

function readFile(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`Expected a JSON file with agents at ${path}, found none that can be read.`, {
      cause: error,
    });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`Expected JSON in ${path}, found text that does not parse.`, { cause: error });
  }
}

function explain(issues: readonly z.core.$ZodIssue[], entries: unknown): string {
  return issues
    .slice(0, ISSUES_SHOWN)
    .map((issue) => describe(issue, entries))
    .join('; ');
}

function describe(issue: z.core.$ZodIssue, entries: unknown): string {
  const where = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  if (issue.code === 'unrecognized_keys') {
    const valid = Object.keys(agentEntrySchema.shape);
    return `${where}unknown key "${issue.keys[0]}"; valid keys are ${valid.join(', ')}`;
  }
  if (issue.code === 'invalid_key') {
    return `${where}${issue.issues[0]?.message}, found "${String(issue.path.at(-1))}"`;
  }
  return `${where}${issue.message}, found ${kindOf(valueAt(entries, issue.path))}`;
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    root,
  );
}

/** A value may be a secret that stands in the wrong place: its kind says enough. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'another text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
