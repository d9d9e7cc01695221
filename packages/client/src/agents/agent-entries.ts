import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** A header's name as HTTP has it. */
const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'expected the name of an HTTP header');
const headerValue = z.string().regex(/^[^\r\n\0]*$/, 'expected a header without line breaks');
const webUrl = z.url({ protocol: /^https?$/, error: 'expected an http or https URL' });
const origin = webUrl.refine((text) => URL.canParse(text) && new URL(text).origin === text, {
  error: 'expected an origin such as https://agents.example:8443, without a path',
});

export const agentEntrySchema = z.strictObject({
  /** Of the agent's card; an address without a path means its usual place. */
  url: webUrl,
  /** Sent with every call to the agent. `${NAME}` is replaced by the environment variable of that name. */
  custom_headers: z.record(headerName, headerValue).optional(),
  /** Further origins that may be given the headers, for agents that are called elsewhere than their card is. */
  trusted_origins: z.array(origin).optional(),
});
export type AgentEntry = z.infer<typeof agentEntrySchema>;

export const agentIdSchema = z.string().min(1).max(128);

const entriesSchema = z.record(agentIdSchema, agentEntrySchema);

/** Checks what a user gave: entries by agent id, or the path of a JSON file that holds them. */
export function readAgentEntries(source: unknown): Record<string, AgentEntry> {
  const entries = typeof source === 'string' ? readFile(source) : source;
  const result = entriesSchema.safeParse(entries);
  if (result.success) return result.data;
  const where = typeof source === 'string' ? `${source}: ` : '';
  throw new Error(`${where}Agents are not as expected. ${explain(result.error)}`);
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

function explain(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join('.')}: ${message}`)
    .join('; ');
}
