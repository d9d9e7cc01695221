import { declaredSessionIds } from '../sessions/declared-sessions.ts';
import type { ToolHub, ToolOutcome } from './hub-tool.ts';

/** One call of a batch. */
export interface BatchItem {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export type BatchResult = { readonly index: number; readonly name: string } & ToolOutcome;

export interface BatchAnswer extends Record<string, unknown> {
  /** In the order of the calls; shorter if the batch stopped at a failure. */
  readonly results: readonly BatchResult[];
  readonly succeeded: number;
  readonly failed: number;
  readonly session_id: string | null;
}

export interface BatchOptions {
  readonly sessionId: string | undefined;
  /** Whether to continue after a failed call. */
  readonly continueOnError: boolean;
  readonly call: (name: string, input: Record<string, unknown>) => Promise<ToolOutcome>;
}

export const MAX_BATCH_CALLS = 20;

/** Runs the calls sequentially, so that each can use earlier results. */
export async function runBatch(calls: readonly BatchItem[], options: BatchOptions): Promise<BatchAnswer> {
  const results: BatchResult[] = [];
  const earlier = new Map<string, Readonly<Record<string, unknown>>>();
  let { sessionId } = options;
  for (const [index, { name, arguments: given }] of calls.entries()) {
    const outcome = await callWith(given, { sessionId, results: earlier }, (input) =>
      options.call(name, input),
    );
    results.push({ index, name, ...outcome });
    if (outcome.ok) {
      earlier.set(name, outcome.result);
      const { session_id: found } = outcome.result;
      if (typeof found === 'string') sessionId ??= found;
    } else if (!options.continueOnError) break;
  }
  const succeeded = results.filter(({ ok }) => ok).length;
  return { results, succeeded, failed: results.length - succeeded, session_id: sessionId ?? null };
}

async function callWith(
  given: Readonly<Record<string, unknown>>,
  references: Parameters<typeof substituteReferences>[1],
  call: (input: Record<string, unknown>) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  let input: Record<string, unknown>;
  try {
    input = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, substituteReferences(value, references)]),
    );
  } catch (error) {
    return { ok: false, error: { message: error instanceof Error ? error.message : String(error) } };
  }
  return call(input);
}

/**
 * The initial value of `$SESSION_ID`: the session that the request names, or the agent's latest active one. Another agent's
 * session is treated as if it did not exist.
 */
export async function batchSession(
  { context, requestContext }: Pick<ToolHub, 'context' | 'requestContext'>,
  sessionId: string | undefined,
): Promise<string | undefined> {
  const params = sessionId === undefined ? {} : { session_id: sessionId };
  const declared = declaredSessionIds(requestContext, params);
  const { identity } = await context.identities.identify(requestContext, params);
  if (identity === undefined) return undefined;
  const { sessions } = context;
  for (const { value } of declared) {
    const session = await sessions.own(value, identity.agentId);
    if (session !== undefined && sessions.isAlive(session)) return session.sessionId;
  }
  const latest = await sessions.latest(identity.agentId);
  return latest !== undefined && sessions.isActive(latest) ? latest.sessionId : undefined;
}

/** What the arguments of a call in a batch can refer to. */
export interface BatchReferences {
  /** The session of the batch; undefined until it is known. */
  readonly sessionId: string | undefined;
  /** The latest result of each tool that was called before. */
  readonly results: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

const REFERENCE = /\$\{SESSION_ID\}|\$SESSION_ID\b|\$prev\.(\w+)\.(\w+(?:\.\w+)*)/g;

/**
 * Replaces `$SESSION_ID`, `${SESSION_ID}` and `$prev.TOOL.FIELD` in the strings of a value. A string that is exactly one
 * reference becomes the referenced value with its type. Replacements are not expanded again.
 */
export function substituteReferences(value: unknown, references: BatchReferences): unknown {
  if (typeof value === 'string') return inText(value, references);
  if (Array.isArray(value)) return value.map((item) => substituteReferences(item, references));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, substituteReferences(item, references)]),
  );
}

function inText(text: string, references: BatchReferences): unknown {
  const [first] = text.matchAll(REFERENCE);
  if (first === undefined) return text;
  if (first[0] === text) return referredTo(first, references);
  return text.replaceAll(REFERENCE, (...match: string[]) => asText(referredTo(match, references)));
}

function referredTo([reference = '', tool, path]: readonly string[], references: BatchReferences): unknown {
  if (tool === undefined || path === undefined) {
    if (references.sessionId !== undefined) return references.sessionId;
    throw new Error(
      `${reference} has no value: no session is known. Send x-delx-agent-id and x-delx-agent-token, and the x-delx-session-id of one of your sessions, or first call a tool that starts a session.`,
    );
  }
  const result = references.results.get(tool);
  if (result === undefined) {
    throw new Error(
      `${reference} has no value: no earlier call of ${tool} succeeded. Earlier results: ${namesIn([...references.results.keys()])}.`,
    );
  }
  return fieldOf(result, path.split('.'), reference);
}

function fieldOf(result: unknown, path: readonly string[], reference: string): unknown {
  let found = result;
  for (const name of path) {
    const fields = typeof found === 'object' && found !== null ? Object.entries(found) : [];
    const field = fields.find(([each]) => each === name);
    if (field === undefined) {
      const known = fields.map(([each]) => each);
      throw new Error(`${reference} has no value: there is no field ${name}. Fields: ${namesIn(known)}.`);
    }
    found = field[1];
  }
  return found;
}

function namesIn(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
