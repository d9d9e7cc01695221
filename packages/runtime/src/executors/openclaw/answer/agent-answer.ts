import { isAbsolute } from 'node:path';
import type { JsonObject, Part } from '@holdword/protocol';
import type { DefiniteOutcome } from '../../cli-agent/profile.ts';
import { listAt, numberAt, objectAt, textAt, valueAt } from '../../json-value.ts';
import { isOmitted, mediaPart, type OmittedFile } from './media-parts.ts';

/** What it takes to make an outcome of an answer. */
export interface AnswerReading {
  /** How OpenClaw was reached, for the metadata. */
  readonly via: 'cli' | 'gateway';
  /** OpenClaw runs on this machine: the files it names are those that we see. */
  readonly isLocal: boolean;
  /** Folders whose files may be sent, beside the workspace that OpenClaw names. */
  readonly fileFolders: readonly string[];
  readonly maxFileBytes: number;
  /** The answer came with the sign of a failure: an exit code, a refusal. */
  readonly failed: boolean;
  /** Makes a text fit for callers: without secrets and paths. */
  readonly toPublic: (text: string) => string;
}

const NO_REASON = 'OpenClaw failed and gave no reason. Its log says more.';

/** Whether this is what OpenClaw prints at the end of a turn, in any of its versions: an answer or an error. */
export function isAgentAnswer(value: JsonObject): boolean {
  return ['payloads', 'result', 'error', 'error_message', 'meta', 'ok'].some((name) =>
    Object.hasOwn(value, name),
  );
}

/**
 * What became of a turn. Payloads are given in their order, of each its text first and then its media. An answer that
 * consists of errors alone is a failure, whatever it calls itself.
 */
export async function outcomeOfAnswer(value: JsonObject, reading: AnswerReading): Promise<DefiniteOutcome> {
  // A gateway wraps the answer.
  const answer = objectAt(value, 'result') ?? value;
  const payloads = listAt(answer, 'payloads');
  const good = payloads.filter((payload) => valueAt(payload, 'isError') !== true);
  const { parts, omitted } = await partsOf(good, answer, reading);
  const metadata = metadataOf(answer, reading.via, omitted);
  const failure = failureOf(value, answer, reading.failed || (payloads.length > 0 && good.length === 0));
  if (failure !== undefined) {
    const text = reading.toPublic(failure) || NO_REASON;
    return { state: 'failed', text, metadata, ...(parts.length > 0 && { parts }) };
  }
  const warnings = complaintsOf(payloads).map(reading.toPublic);
  const told = warnings.length > 0 ? { ...metadata, warnings } : metadata;
  if (parts.length > 0) return { state: 'completed', parts, metadata: told };
  return { state: 'completed', note: silenceOf(answer, omitted), metadata: told };
}

async function partsOf(
  payloads: readonly unknown[],
  answer: unknown,
  { isLocal, fileFolders, maxFileBytes }: AnswerReading,
): Promise<{ parts: Part[]; omitted: OmittedFile[] }> {
  const workspace = textAt(answer, 'meta', 'systemPromptReport', 'workspaceDir') ?? '';
  const folders = isLocal ? [...(isAbsolute(workspace) ? [workspace] : []), ...fileFolders] : [];
  const parts: Part[] = [];
  const omitted: OmittedFile[] = [];
  let bytesLeft = maxFileBytes;
  for (const payload of payloads) {
    const text = textAt(payload, 'text') ?? '';
    if (text.trim() !== '') parts.push({ text });
    for (const reference of mediaOf(payload)) {
      const part = await mediaPart(reference, { folders, maxBytes: bytesLeft });
      if (isOmitted(part)) omitted.push(part);
      else parts.push(part);
      if (!isOmitted(part) && part.raw !== undefined) bytesLeft -= Buffer.byteLength(part.raw, 'base64');
    }
  }
  return { parts, omitted };
}

/** A single file stands in both fields. */
function mediaOf(payload: unknown): Set<string> {
  const all = [...listAt(payload, 'mediaUrls'), valueAt(payload, 'mediaUrl')];
  return new Set(all.filter((each): each is string => typeof each === 'string' && each !== ''));
}

/** The reason of a failure; undefined when there is none. */
function failureOf(value: JsonObject, answer: JsonObject, failed: boolean): string | undefined {
  const reasons = [
    reasonAt(value, 'error'),
    reasonAt(value, 'error_message'),
    reasonAt(answer, 'meta', 'error'),
    reasonAt(answer, 'meta', 'error_message'),
  ];
  const reason = reasons.find((each) => each !== undefined);
  const isFailure =
    failed ||
    reason !== undefined ||
    valueAt(value, 'ok') === false ||
    textAt(value, 'status') === 'timeout' ||
    textAt(value, 'status') === 'error';
  if (!isFailure) return undefined;
  const summary = textAt(value, 'summary');
  return (
    complaintsOf(listAt(answer, 'payloads')).join('\n') ||
    reason ||
    textAt(value, 'message') ||
    (summary ? `OpenClaw did not finish the turn: ${summary}.` : '')
  );
}

function complaintsOf(payloads: readonly unknown[]): string[] {
  return payloads
    .filter((payload) => valueAt(payload, 'isError') === true)
    .map((payload) => textAt(payload, 'text') ?? '');
}

/** Versions differ in whether an error is a text or an object with a message. */
function reasonAt(value: unknown, ...path: readonly string[]): string | undefined {
  const text = textAt(value, ...path) ?? textAt(value, ...path, 'message') ?? textAt(value, ...path, 'kind');
  return text?.trim() === '' ? undefined : text;
}

function silenceOf(answer: unknown, omitted: readonly OmittedFile[]): string {
  if (omitted.length > 0) {
    const names = omitted.map(({ name, reason }) => `${name} (${reason})`).join(', ');
    return `OpenClaw answered with files that were left out: ${names}.`;
  }
  const hint = textAt(answer, 'meta', 'warning') ?? textAt(answer, 'meta', 'stopReason');
  return `OpenClaw finished without an answer${hint ? ` (${hint})` : ''}.`;
}

function metadataOf(answer: unknown, via: string, omitted: readonly OmittedFile[]): JsonObject {
  const agent = objectAt(answer, 'meta', 'agentMeta') ?? answer;
  const fields = {
    model: textAt(agent, 'model'),
    provider: textAt(agent, 'provider'),
    usage: objectAt(agent, 'usage'),
    durationMs: numberAt(answer, 'meta', 'durationMs'),
    stopReason: textAt(answer, 'meta', 'stopReason'),
    omittedFiles: omitted.length > 0 ? omitted.map(({ name, reason }) => ({ name, reason })) : undefined,
  };
  const known = Object.entries(fields).filter(([, field]) => field !== undefined);
  return { via, ...Object.fromEntries(known) };
}
