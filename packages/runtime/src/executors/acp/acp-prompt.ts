import type {
  ContentBlock,
  PromptResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from '@agentclientprotocol/sdk';
import { Deadline } from '@holdword/net/internal';
import type { DefiniteOutcome } from '../cli-agent/profile.ts';
import type { ResponseWriter } from '../cli-agent/response-writer.ts';
import { tooMuchOutput, turnTimedOut } from '../limit-errors.ts';
import type { AcpSettings } from './acp-options.ts';
import type { AcpProcess, SessionListener } from './acp-process.ts';
import {
  decidePermission,
  permissionOutcome,
  wantedPermission,
  type PermissionDecision,
  type WantedPermission,
} from './permission-policy.ts';
import { questionMetadata, questionText } from './permission-question.ts';
import { SessionOutput } from './session-output.ts';

export interface AcpPrompt {
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
