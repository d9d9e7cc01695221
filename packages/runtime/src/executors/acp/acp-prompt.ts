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
  /** What the caller has allowed this once. */
  readonly granted: WantedPermission | undefined;
}

/** Asks the agent once, and resolves with what became of it; rejects with the reason for which it was stopped. */
export function runAcpPrompt(prompt: AcpPrompt): Promise<DefiniteOutcome> {
  return new PromptRun(prompt).run();
}

/**
 * One prompt, from the question to its outcome.
 *
 * Responsible for the order in which what the agent says is written, for the decision on each permission, and for an end:
 * an agent that goes on after it was asked to stop has its process drained, so that no other turn uses it.
 */
class PromptRun implements SessionListener {
  readonly #prompt: AcpPrompt;
  readonly #output = new SessionOutput();
  /** Fires with the reason for which the agent has to stop. */
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
      const text = `Refused: ${wanted.title} (${wanted.kind}). The operator of this agent can allow it.`;
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

  /** The first failure of a write stops the agent: the task is no longer ours. */
  #write(write: () => Promise<void>): void {
    this.#writing = this.#writing.then(write).catch((error: unknown) => this.#stop(error));
  }

  #stop(reason: unknown): void {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort(reason);
    this.#prompt.process.cancel(this.#prompt.sessionId);
  }

  /** The answer; undefined when the agent was stopped, which it then has been or had its time to do. */
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
    using patience = new Deadline(this.#prompt.settings.graceMilliseconds);
    const given = Promise.withResolvers<boolean>();
    patience.signal.addEventListener('abort', () => given.resolve(false), { once: true });
    if (!(await Promise.race([ended, given.promise]))) this.#prompt.process.drain();
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
  max_tokens: 'The agent did not finish: it has used all the tokens it may. Ask for less at once.',
  max_turn_requests:
    'The agent did not finish: it has asked its model as often as it may. Ask for less at once.',
  refusal: 'The agent refuses to do this.',
  cancelled: 'The agent stopped by itself before it had finished.',
} as const;

function asking(wanted: WantedPermission): DefiniteOutcome {
  const text = questionText(wanted);
  return { state: 'input-required', parts: [{ text }], metadata: questionMetadata(wanted) };
}
