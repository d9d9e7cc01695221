import { createHash } from 'node:crypto';
import type { Message, StreamResponse } from '@holdword/protocol';
import { isObject } from '@holdword/protocol/internal';
import { z } from 'zod';

/*
 * A recording: what happened in a task, or between a client and an agent, as lines of JSON. The first line is the header, then
 * there is one line per event, and the last line says how many there were. Each line ends with a digest of itself and of the
 * digest before it, so that no line can be changed, lost, added or moved without notice.
 */

export const RECORDING_FORMAT = 'holdword-recording';
const RECORDING_VERSION = 1;

const headerSchema = z.strictObject({
  format: z.literal(RECORDING_FORMAT),
  version: z.literal(RECORDING_VERSION),
  /** Whose events these are, as far as that is known. */
  agent: z.looseObject({ name: z.string(), url: z.string().optional() }).optional(),
  /** Absent if the recording may have several tasks. */
  task: z.strictObject({ id: z.string().min(1), contextId: z.string() }).optional(),
  /** The agent only knows what became of the task, not how. */
  partial: z.literal(true).optional(),
});

export type RecordingHeader = z.infer<typeof headerSchema>;

const eventSchema = z.strictObject({
  sequence: z.int().min(1).optional(),
  time: z.iso.datetime({ offset: true }).optional(),
  input: z.custom<Message>(isObject).optional(),
  event: z.custom<StreamResponse>(isEvent),
});

/** One event of a recording. */
export interface RecordedEvent {
  /** Its number in its task. Absent for a plain message, which belongs to no task. */
  readonly sequence?: number | undefined;
  /** When it happened, if that is known. */
  readonly time?: string | undefined;
  /** The user's message that it is the first answer to. */
  readonly input?: Message | undefined;
  readonly event: StreamResponse;
}

const KINDS: readonly string[] = ['task', 'message', 'statusUpdate', 'artifactUpdate'];

function isEvent(value: unknown): boolean {
  if (!isObject(value)) return false;
  const [[kind, content] = ['', undefined], ...others] = Object.entries(value);
  return others.length === 0 && KINDS.includes(kind) && isObject(content);
}

const endSchema = z.strictObject({ end: z.strictObject({ events: z.int().min(0) }) });

/** A line of a recording, once its digest is verified. */
export type RecordingLine =
  | { readonly header: RecordingHeader }
  | { readonly recorded: RecordedEvent }
  | { readonly end: { readonly events: number } };

/** What a line says, or undefined if it is none of a recording. */
export function parseLine(value: unknown, lineNumber: number): RecordingLine | undefined {
  if (lineNumber === 1) {
    const header = headerSchema.safeParse(value).data;
    return header && { header };
  }
  const end = endSchema.safeParse(value).data;
  if (end !== undefined) return end;
  const recorded = eventSchema.safeParse(value).data;
  return recorded && { recorded };
}

/** Why the first line is no header. */
export function describeHeader(value: unknown): string {
  if (!isObject(value) || value['format'] !== RECORDING_FORMAT) {
    return 'it is not a recording: the first line of one begins with {"format":"holdword-recording"';
  }
  if (value['version'] !== RECORDING_VERSION) {
    return `it has version ${JSON.stringify(value['version'])} of the format, and this program reads version ${RECORDING_VERSION}`;
  }
  return 'its header has fields that are unknown or wrong';
}

export function recordingHeader(about: Omit<RecordingHeader, 'format' | 'version'>): RecordingHeader {
  return { format: RECORDING_FORMAT, version: RECORDING_VERSION, ...about };
}

const DIGEST = /,"digest":"([0-9a-f]{64})"\}$/;
const DIGEST_CHARACTERS = ',"digest":""}'.length + 64;

/** The digests of the lines of one recording, in order. */
export class DigestChain {
  #last = '';

  /** The line with its digest. The value must not be empty. */
  seal(value: object): string {
    const body = JSON.stringify(value).slice(0, -1);
    return `${body},"digest":"${this.#next(body)}"}`;
  }

  /** Whether a line has the digest that it must have. Undefined if it has none. */
  verify(line: string): boolean | undefined {
    const given = DIGEST.exec(line.slice(-DIGEST_CHARACTERS))?.[1];
    if (given === undefined) return undefined;
    return this.#next(line.slice(0, -DIGEST_CHARACTERS)) === given;
  }

  #next(body: string): string {
    this.#last = createHash('sha256').update(`${this.#last}\n${body}`).digest('hex');
    return this.#last;
  }
}

/** The line as a value, without its digest. */
export function parseSealed(line: string): unknown {
  return JSON.parse(`${line.slice(0, -DIGEST_CHARACTERS)}}`);
}
