import type { CryptoKey, JWK, KeyObject } from 'jose';
import { z } from 'zod';
import { canonicalJson } from './card/canonical-card.ts';
import { isTerminal, partSchema } from './model.ts';
import type { Message, StreamResponse, TaskState } from './model.ts';

/** The metadata of an event with the signature of the agent that wrote it, and the extension of agents that sign. */
export const SIGNATURE_METADATA = 'urn:holdword:a2a:signature:v1';

/** What an agent said with one event. */
export type SaidContent =
  | { artifact: object; append: boolean; lastChunk: boolean }
  | { state: TaskState; parts?: readonly unknown[] | undefined };

/** What an agent signs: what it said, where in which turn, and in answer to which message. */
export interface SignedStatement {
  taskId: string;
  contextId: string;
  /** One run of a turn by one worker. */
  run: string;
  /** Of the event in the run, from 1. */
  number: number;
  message: { messageId: string; digest: string };
  said: SaidContent;
}

/** The bytes that are signed, as text. */
export function statementText({ said, ...statement }: SignedStatement): string {
  // Fields that are undefined, and fields of parts that no schema knows, are not there on the other side.
  return canonicalJson(JSON.parse(JSON.stringify({ ...statement, said: withKnownParts(said) })));
}

/** The bytes whose SHA-256, in base64url, is the digest of a message. */
export function digestedText({ messageId, parts }: Pick<Message, 'messageId' | 'parts'>): string {
  return canonicalJson(JSON.parse(JSON.stringify({ messageId, parts: knownParts(parts) })));
}

function withKnownParts(said: SaidContent): SaidContent {
  if ('state' in said) return said.parts === undefined ? said : { ...said, parts: knownParts(said.parts) };
  const { artifactId, name, description, parts } = said.artifact as Record<string, unknown>;
  return { ...said, artifact: { artifactId, name, description, parts: knownParts(parts) } };
}

function knownParts(parts: unknown): unknown[] {
  return z.array(partSchema).parse(parts);
}

const signatureSchema = z.object({
  run: z.string(),
  number: z.int().min(1),
  message: z.object({ messageId: z.string(), digest: z.string() }),
  signature: z.string().regex(/^[\w-]+\.\.[\w-]+$/),
});

/** What a verification of events found. */
export interface EventVerification {
  /**
   * `verified`: every artifact and every state that an agent sets is signed, in order and without gaps. `invalid`: a signature does not
   * match. `incomplete`: events are missing. `unsigned`: an event of the agent has no signature.
   */
  status: 'verified' | 'invalid' | 'incomplete' | 'unsigned';
  /** The messages that the events answer, by their ids. */
  messageIds: readonly string[];
}

/** States that the host of an agent may set: it is waiting for the agent, has lost it, or was told to cancel. */
const STATES_OF_HOSTS = [
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
];

/**
 * Verifies that the events of a task, from its first to its last, are what its agent said, whoever passed them on. Trust the keys
 * because you know them from the agent's owner: a host that forges events can also forge the keys on its card.
 *
 * @example
 * ```ts
 * import type { JWK } from 'jose';
 *
 * async function isGenuine(events: StreamResponse[], message: Message, key: JWK): Promise<boolean> {
 *   const { status } = await verifyEvents(events, { keys: [key], messages: [message] });
 *   return status === 'verified';
 * }
 * ```
 */
export async function verifyEvents(
  events: readonly StreamResponse[],
  {
    keys,
    messages = [],
  }: { keys: readonly (CryptoKey | KeyObject | JWK)[]; messages?: readonly Message[] | undefined },
): Promise<EventVerification> {
  const runs = new Map<string, number>();
  const messageIds = new Set<string>();
  const digests = new Map<string, string>();
  for (const message of messages) digests.set(message.messageId, await digestOf(digestedText(message)));
  const found = (status: EventVerification['status']): EventVerification => ({
    status,
    messageIds: [...messageIds],
  });
  for (const event of events) {
    const said = saidIn(event);
    if (said === undefined) continue;
    const { taskId, contextId, content, metadata } = said;
    const { data } = signatureSchema.safeParse(metadata?.[SIGNATURE_METADATA]);
    if (data === undefined) {
      if ('state' in content && STATES_OF_HOSTS.includes(content.state)) continue;
      return found('unsigned');
    }
    const { run, number, message, signature } = data;
    if (number !== (runs.get(run) ?? 0) + 1) return found('incomplete');
    runs.set(run, number);
    messageIds.add(message.messageId);
    const digest = digests.get(message.messageId);
    const isAnswer = digests.size === 0 || digest === message.digest;
    const text = statementText({ taskId, contextId, run, number, message, said: content });
    if (!isAnswer || !(await isSignedBy(keys, signature, text))) return found('invalid');
  }
  const last = events.findLast((event) => saidIn(event) !== undefined);
  const content = last && saidIn(last)?.content;
  const isEnded = content !== undefined && 'state' in content && isFinal(content.state);
  return found(isEnded ? 'verified' : 'incomplete');
}

function isFinal(state: TaskState): boolean {
  return isTerminal(state) || state === 'TASK_STATE_INPUT_REQUIRED' || state === 'TASK_STATE_AUTH_REQUIRED';
}

function saidIn(event: StreamResponse) {
  if ('artifactUpdate' in event) {
    const { taskId, contextId, artifact, append = false, lastChunk = false, metadata } = event.artifactUpdate;
    return { taskId, contextId, metadata, content: { artifact, append, lastChunk } };
  }
  if (!('statusUpdate' in event)) return undefined;
  const { taskId, contextId, status, metadata } = event.statusUpdate;
  return { taskId, contextId, metadata, content: { state: status.state, parts: status.message?.parts } };
}

async function isSignedBy(
  keys: readonly (CryptoKey | KeyObject | JWK)[],
  signature: string,
  text: string,
): Promise<boolean> {
  const { compactVerify, base64url } = await import('jose');
  const jws = signature.replace('..', `.${base64url.encode(text)}.`);
  for (const key of keys) {
    try {
      await compactVerify(jws, key, { algorithms: ['ES256', 'EdDSA', 'Ed25519'] });
      return true;
    } catch {
      continue;
    }
  }
  return false;
}

async function digestOf(text: string): Promise<string> {
  const { base64url } = await import('jose');
  return base64url.encode(
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))),
  );
}
