import { readFileSync } from 'node:fs';
import { A2AError } from '@holdword/protocol';
import { asObject, errorCode, isObject, nearestName, shorten, trimEndOf } from '@holdword/protocol/internal';
import { z } from 'zod';

const ISSUES_SHOWN = 3;
const MAX_SHOWN = 100;

/** A header name as defined by HTTP. */
const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'expected the name of an HTTP header');
const headerValue = z
  .string({ error: 'expected a string' })
  .regex(/^[^\r\n\0]*$/, 'expected a header without line breaks');
const webUrl = z.url({ protocol: /^https?$/, error: 'expected an http or https URL' });
const origin = webUrl.refine((text) => URL.canParse(text) && new URL(text).origin === text, {
  error: 'expected an origin such as https://agents.example:8443, without a path',
});

const agentEntrySchema = z.strictObject(
  {
    /** The URL of the agent card, or of an agent whose card is at the standard path below it. */
    url: webUrl,
    /** Sent with every request to the agent. `${NAME}` is replaced by the environment variable of that name. */
    custom_headers: z
      .record(headerName, headerValue, { error: 'expected an object with headers by their names' })
      .optional(),
    /** Additional origins that receive the headers, for agents whose endpoint is not on the origin of the card. */
    trusted_origins: z.array(origin, { error: 'expected a list' }).optional(),
  },
  { error: 'expected an object with a url' },
);
/** How to reach an agent: the URL of its card, and the headers to send. */
export type AgentEntry = z.infer<typeof agentEntrySchema>;

const ID = 'expected an id of 1 to 128 characters';
const agentIdSchema = z.string().min(1, ID).max(128, ID);
/** JavaScript treats this name specially: an object with it loses it on the way. */
const RESERVED_ID = '__proto__';

const entriesSchema = z.record(agentIdSchema, agentEntrySchema, {
  error: 'expected an object with agents by their ids',
});

/** Validates entries by agent id, or reads them from a JSON file. */
export function readAgentEntries(source: unknown): Record<string, AgentEntry> {
  const entries = typeof source === 'string' ? readFile(source) : source;
  if (typeof entries === 'object' && entries !== null && Object.hasOwn(entries, RESERVED_ID)) {
    throw new Error(`Invalid agents: "${RESERVED_ID}" cannot be the id of an agent. Choose another id.`);
  }
  const result = entriesSchema.safeParse(entries);
  if (result.success) return result.data;
  const where = typeof source === 'string' ? ` in ${source}` : '';
  if (isWrapped(entries)) {
    throw new Error(
      `Invalid agents${where}: the entries are inside "agents". Put them at the top level: {"ID": {"url": "…"}}.`,
    );
  }
  throw new Error(`Invalid agents${where}: ${explain(result.error.issues, entries)}.`);
}

/** Whether the entries are in `{"agents": …}`, as in the files of other programs. */
function isWrapped(entries: unknown): boolean {
  const { agents, ...others } = asObject(entries);
  return isObject(agents) && !('url' in agents) && Object.keys(others).length === 0;
}

export function readAgentEntry(agentId: string, entry: unknown): AgentEntry {
  return readAgentEntries({ [agentId]: entry })[agentId] ?? agentEntrySchema.parse(entry);
}

const READ_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist. Check the path',
  EISDIR: 'is a folder. Name the file in it',
  EACCES: 'must not be read by this user. Check its permissions',
};

function readFile(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const known = READ_ERRORS[errorCode(error) ?? ''];
    throw new Error(
      known === undefined
        ? `Could not read the agents file ${path}. Check the path and the permissions.`
        : `The agents file ${path} ${known}.`,
      { cause: error },
    );
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const [line, column] = invalidAt(text);
    throw new Error(
      `The agents file ${path} is not valid JSON, at ${line}:${column}. Comments and trailing commas are not allowed.`,
      { cause: error },
    );
  }
}

/** The line and column of the first character that JSON does not allow. The error names it only in some cases. */
function invalidAt(text: string): [line: number, column: number] {
  let [valid, invalid] = [0, text.length + 1];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (isBeginning(text.slice(0, middle))) valid = middle;
    else invalid = middle;
  }
  const before = text.slice(0, valid).split('\n');
  return [before.length, (before.at(-1) ?? '').length + 1];
}

/** Whether a text can be continued to JSON: what is wrong with it is only that it ends. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = String(error);
    const position = /at position (\d+)/.exec(message)?.[1];
    return message.includes('end of JSON input') || Number(position) === text.length;
  }
}

function explain(issues: readonly z.core.$ZodIssue[], entries: unknown): string {
  return issues
    .slice(0, ISSUES_SHOWN)
    .map((issue) => describe(issue, entries))
    .join('; ');
}

/** Keys of other programs for what belongs into a header. */
const CREDENTIALS = /auth|header|token|key|bearer|credential|secret/i;

function describe(issue: z.core.$ZodIssue, entries: unknown): string {
  const where = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  if (issue.code === 'unrecognized_keys') {
    const valid = Object.keys(agentEntrySchema.shape);
    const [key = ''] = issue.keys;
    const nearest = nearestName(key, valid) ?? (CREDENTIALS.test(key) ? 'custom_headers' : undefined);
    const hint = nearest === undefined ? '' : `, did you mean "${nearest}"?`;
    return `${where}unknown key "${shorten(key, MAX_SHOWN)}"${hint}; valid keys are ${valid.join(', ')}`;
  }
  if (issue.code === 'invalid_key') {
    return `${where}${issue.issues[0]?.message}, found "${String(issue.path.at(-1))}"`;
  }
  const found = describeFound(valueAt(entries, issue.path), issue.path);
  return `${where}${issue.message}${found === undefined ? '' : `, found ${found}`}`;
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    root,
  );
}

/** Only the type of a value is shown: it may be a secret in the wrong place. A URL is shown unless it may contain one. */
function describeFound(value: unknown, path: readonly PropertyKey[]): string | undefined {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value !== 'string') return `a ${typeof value}`;
  if (value === '') return 'an empty string';
  const isUrl = path.at(-1) === 'url' || path.at(-2) === 'trusted_origins';
  if (isUrl && value.length <= MAX_SHOWN && !/[@?]/.test(value)) return `"${value}"`;
  return path.at(-2) === 'custom_headers' ? undefined : 'a string';
}

/**
 * Replaces `${NAME}` in header values with environment variables. A variable that is not set is an error, because an
 * incomplete header must not be sent.
 */
export function expandVariables(
  headers: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
  kind: 'header' | 'setting' = 'header',
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([header, value]) => [
      header,
      value.replaceAll(/\$\{([^}]*)\}/g, (_, name: string) => {
        const found = environment[name];
        if (found !== undefined && found !== '') return checked(found, `${kind} ${header}`, name);
        throw new A2AError(
          'UNAUTHENTICATED',
          `The ${kind} ${header} needs the environment variable ${name}, which is not set. Set it and restart.`,
        );
      }),
    ]),
  );
}

/** A trailing line break usually comes from the file that the secret was read from. */
function checked(value: string, place: string, name: string): string {
  const trimmed = trimEndOf(value, '\r\n');
  if (!/[\r\n\0]/.test(trimmed)) return trimmed;
  throw new A2AError(
    'UNAUTHENTICATED',
    `The environment variable ${name} cannot be used in the ${place}: it contains line breaks.`,
  );
}
