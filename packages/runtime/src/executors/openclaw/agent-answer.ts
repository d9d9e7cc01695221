import { isAbsolute } from 'node:path';
import type { JsonObject, Part } from '@holdword/protocol';
import type { DefiniteOutcome } from '../cli-agent/profile.ts';
import { TerminalError } from '../executor-errors.ts';
import { listAt, numberAt, objectAt, parseJson, textAt, valueAt } from '../json-value.ts';
import { isOmitted, mediaPart, type OmittedFile } from './media-parts.ts';

/** How to interpret an answer. */
export interface AnswerReading {
  /** The transport, for the metadata. */
  readonly via: 'cli' | 'gateway';
  /** Whether OpenClaw runs on this machine, so that the files it names are readable here. */
  readonly isLocal: boolean;
  /** Folders whose files may be sent, in addition to the workspace that OpenClaw names. */
  readonly fileFolders: readonly string[];
  readonly maxFileBytes: number;
  /** Whether the answer came with a failure: an exit code or a rejection. */
  readonly failed: boolean;
  /** Removes secrets and paths from a text for callers. */
  readonly toPublic: (text: string) => string;
}

const NO_REASON = 'OpenClaw failed without an error message. See its log.';

/** Whether this is what OpenClaw prints at the end of a turn: its answer, which a gateway wraps. */
function isTurnResult(value: JsonObject): boolean {
  return [valueAt(value, 'payloads'), valueAt(value, 'result', 'payloads')].some(Array.isArray);
}

function hasPayloads(value: JsonObject): boolean {
  return listAt(value, 'payloads').length > 0 || listAt(value, 'result', 'payloads').length > 0;
}

/** What it prints in place of an answer when it fails. */
function isErrorEnvelope(value: JsonObject): boolean {
  return valueAt(value, 'ok') === false && objectAt(value, 'error') !== undefined;
}

/** Whether some version of OpenClaw prints this at the end of a turn. */
function mayBeAnswer(value: JsonObject): boolean {
  return ['result', 'error', 'error_message', 'meta', 'ok'].some((name) => Object.hasOwn(value, name));
}

/** The command did nothing, because a gateway owns its state. */
export class GatewayOwnsState extends TerminalError {
  constructor() {
    super(
      'OpenClaw runs as a gateway on its machine, and its command does not run next to one. Its operator has to serve ' +
        'openclaw-gateway, or openclaw without options of the command.',
    );
  }
}

/** Whether OpenClaw's command says that it has not begun because of a gateway. */
export function isGatewayInTheWay(failure: string): boolean {
  return /^(?:Error: )?A Gateway is running for this state directory/im.test(failure);
}

/**
 * The outcome of a turn. Payloads keep their order; of each, the text comes before its media. An answer that consists only
 * of errors is a failure, whatever its status says.
 *
 * @throws GatewayOwnsState
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
    if (payloads.length === 0 && isGatewayInTheWay(failure)) throw new GatewayOwnsState();
    const text = explain(reading.toPublic(failure)) || NO_REASON;
    return { state: 'failed', text, metadata, ...(parts.length > 0 && { parts }) };
  }
  const warnings = errorTextsOf(payloads).map(reading.toPublic);
  const withWarnings = warnings.length > 0 ? { ...metadata, warnings } : metadata;
  if (parts.length > 0) return { state: 'completed', parts, metadata: withWarnings };
  return { state: 'completed', note: noteOf(answer, omitted), metadata: withWarnings };
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
  let usedBytes = 0;
  for (const payload of payloads) {
    const text = textAt(payload, 'text') ?? '';
    if (text.trim() !== '') parts.push({ text });
    for (const reference of mediaOf(payload)) {
      const part = await mediaPart(reference, { folders, maxBytes: maxFileBytes, usedBytes });
      if (isOmitted(part)) omitted.push(part);
      else parts.push(part);
      if (!isOmitted(part) && part.raw !== undefined) usedBytes += Buffer.byteLength(part.raw, 'base64');
    }
  }
  return { parts, omitted };
}

/** A single file is in both fields. */
function mediaOf(payload: unknown): Set<string> {
  const all = [...listAt(payload, 'mediaUrls'), valueAt(payload, 'mediaUrl')];
  return new Set(all.filter((each): each is string => typeof each === 'string' && each !== ''));
}

/** The reason of a failure; undefined if there is none. */
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
    errorTextsOf(listAt(answer, 'payloads')).join('\n') ||
    reason ||
    textAt(value, 'message') ||
    (summary ? `OpenClaw did not finish the turn: ${summary}.` : '')
  );
}

/** Adds what to do to messages of OpenClaw that name a cause only its operator knows. */
function explain(failure: string): string {
  if (/^missing scope: operator\.admin/i.test(failure)) {
    return 'Messages that begin with /reset or /new are not accepted. To start over, use a new context ID.';
  }
  if (/^Thinking level .* is not supported/i.test(failure)) {
    return `${failure} The operator of this agent can change its option thinking.`;
  }
  return failure;
}

function errorTextsOf(payloads: readonly unknown[]): string[] {
  return payloads
    .filter((payload) => valueAt(payload, 'isError') === true)
    .map((payload) => textAt(payload, 'text') ?? '');
}

/** Depending on the version, an error is a text or an object with a message. */
function reasonAt(value: unknown, ...path: readonly string[]): string | undefined {
  const text = textAt(value, ...path) ?? textAt(value, ...path, 'message') ?? textAt(value, ...path, 'kind');
  return text?.trim() === '' ? undefined : text;
}

function noteOf(answer: unknown, omitted: readonly OmittedFile[]): string {
  if (omitted.length > 0) {
    const names = omitted.map(({ name, reason }) => `${name} (${reason})`).join(', ');
    return `OpenClaw answered with files that cannot be sent: ${names}.`;
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

/** More candidates than this are noise. Each that is not JSON costs more than its length. */
const MAX_CANDIDATES = 10_000;

/**
 * The answer in what OpenClaw printed, with other lines around it, on one line or several. It is the last one, because
 * programs print their result at the end, and earlier ones may be quoted from anywhere; one without payloads counts if there
 * is none with any. An object that only might be an
 * answer, such as a log line with an error, counts if there is nothing better: logs are written after the answer as well.
 */
export function findAgentAnswer(printed: string, { failed }: { failed: boolean }): JsonObject | undefined {
  let last: JsonObject | undefined;
  let empty: JsonObject | undefined;
  let candidates = 0;
  for (const text of objectTexts(printed)) {
    const value = objectAt(parseJson(text));
    if (value !== undefined && (hasPayloads(value) || (failed && isErrorEnvelope(value)))) return value;
    if (value !== undefined && isTurnResult(value)) empty ??= value;
    else if (value !== undefined && mayBeAnswer(value)) last ??= value;
    candidates += 1;
    if (candidates >= MAX_CANDIDATES) break;
  }
  return empty ?? last;
}

/**
 * The texts that may be JSON objects, the last one first: a line that ends with one, or the lines from one that opens a
 * brace to the next closing brace at the start of a line. Nothing is in two of them, and lines are not copied, so that the
 * work grows with the text, whatever is printed.
 */
function* objectTexts(text: string): Generator<string, void, undefined> {
  let blockEnd: number | undefined;
  let end = text.length;
  while (end >= 0) {
    const start = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end).trimEnd();
    if (line === '}') blockEnd = start + 1;
    else if (line.endsWith('{') && /^\S/.test(line)) {
      if (blockEnd !== undefined) yield text.slice(start + line.length - 1, blockEnd);
      blockEnd = undefined;
    } else if (line.endsWith('}') && /\{\s*"/.test(line)) yield line.slice(line.indexOf('{'));
    end = start - 1;
  }
  const [first, last] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (first !== -1 && first < last) yield text.slice(first, last + 1);
}
