import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  ContentBlock,
  PromptCapabilities,
  PromptResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
  ToolCall,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import { Deadline } from '@holdword/protocol/internal';
import type { Part } from '@holdword/protocol';
import { AnswerText } from '../cli-agent/output-readers.ts';
import type { CliFile, CliOutput, DefiniteOutcome } from '../cli-agent/profile.ts';
import type { ResponseWriter } from '../cli-agent/response-writer.ts';
import { tooMuchOutput, turnTimedOut } from '../executor-errors.ts';
import type { AcpSettings } from './acp-options.ts';
import type { AcpProcess, SessionListener } from './acp-process.ts';
import {
  decidePermission,
  type PermissionDecision,
  permissionOutcome,
  questionMetadata,
  questionText,
  wantedPermission,
  type WantedPermission,
} from './permissions.ts';

interface AcpPrompt {
  readonly settings: AcpSettings;
  readonly process: AcpProcess;
  readonly sessionId: string;
  readonly blocks: ContentBlock[];
  readonly writer: ResponseWriter;
  /** Stops the agent when it fires. */
  readonly signal: AbortSignal;
  /** The permission that the caller has granted once. */
  readonly granted: WantedPermission | undefined;
}

/** Sends one prompt and resolves with its outcome; rejects with the reason if it was stopped. */
export function runAcpPrompt(prompt: AcpPrompt): Promise<DefiniteOutcome> {
  return new PromptRun(prompt).run();
}

/**
 * One prompt, from the request to its outcome.
 *
 * Responsible for writing the agent's output in order, for deciding on each permission, and for an end: if an agent
 * continues after it was asked to stop, its process is drained, so that no other turn uses it.
 */
class PromptRun implements SessionListener {
  readonly #prompt: AcpPrompt;
  readonly #output = new SessionOutput();
  /** Fires with the reason why the agent has to stop. */
  readonly #stopping = new AbortController();
  #writing: Promise<void> = Promise.resolve();
  #bytes = 0;
  #granted: WantedPermission | undefined;
  #question: WantedPermission | undefined;

  constructor(prompt: AcpPrompt) {
    this.#prompt = prompt;
    this.#granted = prompt.granted;
  }

  async run(): Promise<DefiniteOutcome> {
    const { process, sessionId, blocks, signal, settings } = this.#prompt;
    signal.throwIfAborted();
    using deadline = new Deadline(settings.timeoutMilliseconds);
    const abort = (): void => this.#stop(signal.reason);
    const expire = (): void => this.#stop(turnTimedOut(settings.timeoutMilliseconds));
    signal.addEventListener('abort', abort, { once: true });
    deadline.signal.addEventListener('abort', expire, { once: true });
    try {
      const response = await this.#untilStopped(process.prompt(sessionId, blocks, this));
      await this.#writing;
      if (this.#question !== undefined) return asking(this.#question);
      if (response === undefined || this.#stopping.signal.aborted) throw this.#stopping.signal.reason;
      return this.#outcome(response);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  update(update: SessionUpdate): void {
    if (this.#stopping.signal.aborted) return;
    const outputs = this.#output.add(update);
    this.#bytes += Buffer.byteLength(JSON.stringify(outputs));
    const { maxOutputBytes } = this.#prompt.settings;
    if (this.#bytes > maxOutputBytes) this.#stop(tooMuchOutput(maxOutputBytes));
    this.#write(() => this.#prompt.writer.write(outputs));
  }

  async permission(request: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    const wanted = wantedPermission(request);
    const decision = this.#stopping.signal.aborted ? 'refuse' : this.#decide(wanted);
    if (decision === 'ask') {
      this.#question = wanted;
      this.#stop(undefined);
      return { outcome: { outcome: 'cancelled' } };
    }
    if (decision === 'refuse' && !this.#stopping.signal.aborted) {
      const text = `Permission denied: ${wanted.title} (${wanted.kind}). The operator of this agent can allow it.`;
      this.#write(() => this.#prompt.writer.write([{ kind: 'status', text }]));
    }
    return { outcome: permissionOutcome(decision, request.options) };
  }

  #decide(wanted: WantedPermission): PermissionDecision {
    const granted = this.#granted;
    if (granted?.title === wanted.title && granted.kind === wanted.kind) {
      this.#granted = undefined;
      return 'allow';
    }
    return decidePermission(wanted, this.#prompt.settings.permissions);
  }

  /** The first failed write stops the agent: another process owns the task now. */
  #write(write: () => Promise<void>): void {
    this.#writing = this.#writing.then(write).catch((error: unknown) => this.#stop(error));
  }

  #stop(reason: unknown): void {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort(reason);
    this.#prompt.process.cancel(this.#prompt.sessionId);
  }

  /** The response; undefined if the agent was stopped, which has happened or timed out by then. */
  async #untilStopped(answering: Promise<PromptResponse>): Promise<PromptResponse | undefined> {
    const { signal } = this.#stopping;
    const stopped = Promise.withResolvers<undefined>();
    signal.addEventListener('abort', () => stopped.resolve(undefined), { once: true });
    const response = await Promise.race([answering, stopped.promise]);
    if (signal.aborted) await this.#waitForEnd(answering);
    return response;
  }

  async #waitForEnd(answering: Promise<PromptResponse>): Promise<void> {
    const ended = answering.then(
      () => true,
      () => true,
    );
    using grace = new Deadline(this.#prompt.settings.graceMilliseconds);
    const expired = Promise.withResolvers<boolean>();
    grace.signal.addEventListener('abort', () => expired.resolve(false), { once: true });
    if (!(await Promise.race([ended, expired.promise]))) this.#prompt.process.drain();
  }

  #outcome(response: PromptResponse): DefiniteOutcome {
    const { parts } = this.#output;
    const answer = parts.length === 0 ? {} : { parts };
    const metadata = { stopReason: response.stopReason };
    if (response.stopReason === 'end_turn') return { state: 'completed', ...answer, metadata };
    return { state: 'failed', text: UNFINISHED[response.stopReason], ...answer, metadata };
  }
}

const UNFINISHED = {
  max_tokens: 'The agent did not finish: it reached its token limit. Send a smaller request.',
  max_turn_requests:
    'The agent did not finish: it reached its limit of model requests. Send a smaller request.',
  refusal: 'The agent refused the request.',
  cancelled: 'The agent stopped before it had finished.',
} as const;

function asking(wanted: WantedPermission): DefiniteOutcome {
  const text = questionText(wanted);
  return { state: 'input-required', parts: [{ text }], metadata: questionMetadata(wanted) };
}

/** Converts a message to ACP content. `files` are its parts with bytes, in order, as saved on disk. */
export function promptBlocks(
  parts: readonly Part[],
  files: readonly CliFile[],
  capabilities: PromptCapabilities = {},
): ContentBlock[] {
  const saved = files[Symbol.iterator]();
  return parts.flatMap((part): ContentBlock[] => {
    if (part.text !== undefined) return [{ type: 'text', text: part.text }];
    if (part.data !== undefined) return [{ type: 'text', text: JSON.stringify(part.data, undefined, 2) }];
    if (part.raw === undefined) return part.url === undefined ? [] : [link(part.url, part)];
    const file = saved.next().value;
    if (capabilities.image === true && part.mediaType?.startsWith('image/') === true) {
      return [{ type: 'image', data: part.raw, mimeType: part.mediaType }];
    }
    return file === undefined ? [] : [link(pathToFileURL(file.path).href, part)];
  });
}

/** Every agent supports links. */
function link(uri: string, { filename, mediaType }: Part): ContentBlock {
  const name = filename ?? (basename(URL.parse(uri)?.pathname ?? '') || uri);
  return { type: 'resource_link', uri, name, ...(mediaType !== undefined && { mimeType: mediaType }) };
}

/** Converts the updates of an agent in one turn to output: its answer and its activities. Thoughts are left out. */
class SessionOutput {
  readonly #answer = new AnswerText();
  readonly #files: Part[] = [];
  readonly #titles = new Map<string, string>();
  #messageId: string | undefined;

  /** The whole answer so far. */
  get parts(): Part[] {
    const text = this.#answer.whole;
    return [...(text === '' ? [] : [{ text }]), ...this.#files];
  }

  add(update: SessionUpdate): CliOutput[] {
    if (update.sessionUpdate === 'agent_message_chunk') {
      this.#followMessage(update.messageId ?? undefined);
      return this.#say(update.content);
    }
    if (update.sessionUpdate === 'tool_call') {
      this.#answer.endMessage();
      this.#titles.set(update.toolCallId, update.title);
      return [doing(update.title, update)];
    }
    if (update.sessionUpdate === 'tool_call_update' && update.status === 'failed') {
      return [doing(`Failed: ${update.title ?? this.#titles.get(update.toolCallId) ?? 'a tool'}`, update)];
    }
    return [];
  }

  #followMessage(messageId: string | undefined): void {
    if (messageId !== this.#messageId) this.#answer.endMessage();
    this.#messageId = messageId;
  }

  #say(content: ContentBlock): CliOutput[] {
    if (content.type === 'text') return this.#answer.add(content.text);
    const part = filePart(content);
    if (part === undefined) return [];
    this.#files.push(part);
    return [{ kind: 'artifact', artifact: { parts: [part], lastChunk: true } }];
  }
}

function doing(text: string, { toolCallId, kind }: ToolCall | ToolCallUpdate): CliOutput {
  return { kind: 'status', text, metadata: { tool: { id: toolCallId, kind: kind ?? 'other' } } };
}

function filePart(content: Exclude<ContentBlock, { type: 'text' }>): Part | undefined {
  if (content.type === 'image' || content.type === 'audio') {
    return { raw: content.data, mediaType: content.mimeType };
  }
  if (content.type === 'resource_link') {
    // A local path is useless to a caller.
    if (!/^https?:/.test(content.uri)) return undefined;
    return {
      url: content.uri,
      filename: content.name,
      ...(content.mimeType && { mediaType: content.mimeType }),
    };
  }
  const { resource } = content;
  const type = resource.mimeType ? { mediaType: resource.mimeType } : {};
  return 'text' in resource ? { text: resource.text, ...type } : { raw: resource.blob, ...type };
}
