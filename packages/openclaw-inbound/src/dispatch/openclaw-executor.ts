import { randomUUID } from 'node:crypto';
import type { Part } from '@holdword/protocol';
import { pause, ROUTE_KEY, shorten } from '@holdword/protocol/internal';
import {
  type AgentDescription,
  type Executor,
  type Log,
  RetryableError,
  type Sink,
  type Turn,
} from '@holdword/runtime';
import type { Caller, CallerOf } from '../auth/caller.ts';
import {
  conversationOf,
  isUnguessable,
  sessionIdentity,
  type SessionIdentity,
} from '../auth/session-identity.ts';
import type { AccountConfig } from '../config/account-config.ts';
import type { ApprovalChoice, HostApproval } from '../host/approvals.ts';
import type { Host, HostEvent, SavedFile } from '../host/host.ts';
import {
  approvalQuestion,
  askedApproval,
  type AskedApproval,
  decidedNotice,
  decisionIn,
  DENY,
  explainLapse,
  lapseNotice,
} from './approval-question.ts';
import { HostRun } from './host-run.ts';
import { closeOpenCalls, failInterrupted, knownCalls, RESULT_UNKNOWN } from './interruption.ts';
import { turnInput, type TurnInput } from './turn-input.ts';
import { TurnWriter } from './turn-writer.ts';
import { type WaitingRun, WaitingRuns } from './waiting-runs.ts';

export interface OpenClawExecutorOptions {
  readonly config: AccountConfig;
  readonly host: Host;
  readonly callerOf: CallerOf;
  readonly log: Log;
  /** When a turn that the host deferred is retried. @default 5000 */
  readonly retryMilliseconds?: number | undefined;
  /** How long to wait for the gateway to stop after it ended a run. @default 10000 */
  readonly stopMilliseconds?: number | undefined;
}

const RETRY_MILLISECONDS = 5_000;
/** Longer than a stopping gateway takes between ending its runs and stopping its channels. */
const STOP_MILLISECONDS = 10_000;
const ANONYMOUS = 'anonymous';
const STOPPED = 'the gateway stopped while the agent was working';
const EMPTY_MESSAGE = 'The message is empty: expected a part with text or data.';
const UNCLEAR_DECISION = 'The answer was not clear.';
const DECISION_NOT_DELIVERED = 'The decision could not be delivered to the gateway. Try again.';
const NEW_QUESTION =
  'The agent continued without your answer and now has another question. It has not read your message; send it again afterwards.';

/**
 * Runs the turns of an account's tasks in the host.
 *
 * Responsible for the permissions of a turn (agent, tools and session of its caller, J9), for aborting the host's run when the
 * task is canceled, and for runs that wait for an answer between two turns. Leaves the order of turns to the engine (J10),
 * which is essential: the host would merge a second message of a session into the running turn.
 */
export class OpenClawExecutor implements Executor {
  readonly card: AgentDescription;
  readonly #options: OpenClawExecutorOptions;
  readonly #waiting = new WaitingRuns();
  #hasWarnedOfContext = false;

  constructor(options: OpenClawExecutorOptions) {
    this.#options = options;
    this.card = describeAgent(options.config);
  }

  answersDirectly(): boolean {
    return this.#options.config.agentStyle === 'hybrid';
  }

  async execute(turn: Turn, sink: Sink): Promise<void> {
    const waiting = this.#waiting.take(turn.taskId);
    if (waiting !== undefined) return this.#answer(waiting, turn, sink);
    const input = turnInput(turn.message, turn.metadata);
    if (input === undefined) return sink.reject(EMPTY_MESSAGE);
    // The host would merge the message into the current run.
    const busy = this.#waiting.findBusy(this.#sessionOf(turn).conversationId);
    if (busy?.isAsking === true) return sink.reject(waitsForDecision(busy.taskId));
    if (busy !== undefined) throw this.#retryLater(`task ${busy.taskId} of this context is still running`);
    this.#warnOfContext(turn);
    const approval = askedApproval(turn.task);
    if (approval === undefined) return this.#run(turn, input, sink);
    await this.#answerLapsed(approval, turn, input, sink);
  }

  /** Once, because every message of such a caller would repeat it. */
  #warnOfContext({ owner, contextId }: Turn): void {
    if (this.#hasWarnedOfContext || owner.authenticated || isUnguessable(contextId)) return;
    this.#hasWarnedOfContext = true;
    this.#options.log.warn(
      'A caller without credentials chose a context id that others may choose too, so each of its tasks is a separate ' +
        'conversation. Let it use a random UUID, or give it a peer key. This is logged once.',
      { contextId: shorten(contextId, 60) },
    );
  }

  /** A turn that has called no tools has no side effects, so it can run again. */
  async resume(turn: Turn, sink: Sink): Promise<void> {
    const calls = knownCalls(turn.task);
    if (calls.length === 0) return this.execute(turn, sink);
    await closeOpenCalls(turn.task, sink, () => RESULT_UNKNOWN);
    await failInterrupted(sink, { cause: STOPPED, calls });
  }

  release(taskId: string): void {
    this.#waiting.discard(taskId);
  }

  async close(): Promise<void> {
    await this.#waiting.close();
  }

  async #run(turn: Turn, input: TurnInput, sink: Sink, earlier?: TurnWriter): Promise<void> {
    const fileFolders = this.#fileFoldersFor(turn);
    const writer = new TurnWriter(turn, sink, { fileFolders }, earlier);
    const run = await this.#start(turn, input);
    if (await this.#read(run, writer, turn, sink)) await this.#end(run, writer, turn);
  }

  async #start(turn: Turn, input: TurnInput): Promise<HostRun> {
    const { host, callerOf } = this.#options;
    const caller = callerOf(turn.owner);
    const { peerName, tools, privateFiles } = caller;
    return new HostRun(host, {
      agent: caller.agent,
      session: this.#sessionOf(turn),
      contextId: turn.contextId,
      senderName: peerName ?? ANONYMOUS,
      messageId: randomUUID(),
      text: input.text,
      context: input.context,
      files: await this.#save(input.files),
      tools,
      privateFiles,
      workspace: peerName === undefined ? ANONYMOUS : `peer-${peerName}`,
      asksCaller: asksCaller(caller),
      route: turn.message.metadata?.[ROUTE_KEY],
    });
  }

  /** Reads the run to its end (true) or to an approval request of a tool (false). */
  async #read(run: HostRun, writer: TurnWriter, turn: Turn, sink: Sink, hint?: string): Promise<boolean> {
    const abort = (): void => run.abort(turn.signal.reason);
    if (turn.signal.aborted) abort();
    turn.signal.addEventListener('abort', abort, { once: true });
    try {
      for (let event = await run.next(); event !== undefined; event = await run.next()) {
        if (event.kind === 'approval' && run.isOpen(event.approval)) {
          await writer.pause();
          const { conversationId } = this.#sessionOf(turn);
          await this.#ask({ run, writer, approval: event.approval, conversationId }, turn, sink, hint);
          return false;
        }
        await writer.write(event);
        if (isAwaited(event)) await sink.flush();
      }
      await run.ended;
      return true;
    } finally {
      run.detach();
      turn.signal.removeEventListener('abort', abort);
    }
  }

  /** Writes the outcome of a run that was read to its end. */
  async #end(run: HostRun, writer: TurnWriter, turn: Turn): Promise<void> {
    const end = await run.ended;
    // The code that aborted the turn writes its outcome.
    if (turn.signal.aborted) return;
    if (end.kind === 'rejected') {
      throw end.later ? this.#retryLater(end.reason) : new Error(rejection(end.reason));
    }
    if (writer.hasEnded || (end.kind === 'ended' && !writer.isCutOff)) return writer.end();
    // A stopping gateway ends its runs before its channels. The turn is then recovered at the next start, as after a crash.
    const mayRunAgain = !writer.hasUsedTools && !writer.hasErrors;
    if (mayRunAgain && (await this.#isStopped(turn.signal))) return;
    await writer.interrupt();
  }

  /**
   * The folders with files that the caller may receive. The agent can send any file of its workspace, private ones included,
   * so a caller that could not read them with tools either receives none.
   */
  #fileFoldersFor({ owner }: Turn): readonly string[] | undefined {
    const { config, host, callerOf } = this.#options;
    if (!config.features.files) return undefined;
    const { tools, privateFiles } = callerOf(owner);
    return privateFiles || tools !== 'none' ? host.producedFileFolders : [];
  }

  /** Waits a while and returns whether the server is stopping. */
  async #isStopped(signal: AbortSignal): Promise<boolean> {
    const { stopMilliseconds = STOP_MILLISECONDS } = this.#options;
    await pause(stopMilliseconds, signal);
    return signal.aborted;
  }

  #retryLater(reason: string): RetryableError {
    const { retryMilliseconds: retryAfterMilliseconds = RETRY_MILLISECONDS } = this.#options;
    return new RetryableError(rejection(reason), { retryAfterMilliseconds });
  }

  async #ask(waiting: WaitingRun, turn: Turn, sink: Sink, hint?: string): Promise<void> {
    // Before asking, because the answer may arrive immediately.
    this.#waiting.put(turn.taskId, waiting);
    await sink.askInput(approvalQuestion(waiting.approval, hint));
  }

  async #answer(waiting: WaitingRun, turn: Turn, sink: Sink): Promise<void> {
    const { approval, run, writer } = waiting;
    const decision = decisionIn(turn.message, approval);
    let isAccepted = false;
    if (run.isOpen(approval)) {
      if (decision === undefined) return this.#ask(waiting, turn, sink, UNCLEAR_DECISION);
      const delivered = await this.#decide(approval, decision, turn);
      if (delivered === undefined) return this.#ask(waiting, turn, sink, DECISION_NOT_DELIVERED);
      isAccepted = delivered;
    }
    writer.continueIn(sink);
    if (!isAccepted) return this.#continueAfterSettled(waiting, turn, sink, decision);
    if (await this.#read(run, writer, turn, sink)) await this.#end(run, writer, turn);
  }

  /**
   * The approval was decided without the caller, or has expired: writes what the agent did since, then processes the message. A
   * decision is not a message to the agent, unless it allows what the agent could not do for lack of an answer.
   */
  async #continueAfterSettled(
    { run, writer, approval }: WaitingRun,
    turn: Turn,
    sink: Sink,
    decision: ApprovalChoice | undefined,
  ): Promise<void> {
    const lapse = 'expired';
    await sink.status(run.hasExpired(approval) ? lapseNotice(approval, lapse) : decidedNotice(approval));
    if (!(await this.#read(run, writer, turn, sink, NEW_QUESTION)) || turn.signal.aborted) return;
    const input = turnInput(turn.message, turn.metadata);
    const isTooLate = decision !== undefined && (decision === DENY || !run.hasExpired(approval));
    if (input === undefined || isTooLate) return this.#end(run, writer, turn);
    await writer.writeRest();
    const text =
      decision === undefined ? input.text : explainLapse(input.text, { approval, lapse, decision });
    await this.#run(turn, { ...input, text }, sink, writer);
  }

  /** The run that asked was lost with the gateway: tells the caller, and tells the agent what the message answers. */
  async #answerLapsed(approval: AskedApproval, turn: Turn, input: TurnInput, sink: Sink): Promise<void> {
    const lapse = 'restarted';
    const notice = lapseNotice(approval, lapse);
    await sink.status(notice);
    await closeOpenCalls(turn.task, sink, (callId) => (callId === approval.callId ? notice : RESULT_UNKNOWN));
    const decision = decisionIn(turn.message, approval);
    await this.#run(turn, { ...input, text: explainLapse(input.text, { approval, lapse, decision }) }, sink);
  }

  /** Returns false if the approval is no longer open, undefined if the decision could not be delivered. */
  async #decide(approval: HostApproval, decision: ApprovalChoice, turn: Turn): Promise<boolean | undefined> {
    const { host, log } = this.#options;
    const { senderId } = this.#sessionOf(turn);
    try {
      return await host.decideApproval({ approval, decision, senderId });
    } catch (error) {
      log.warn('Could not deliver an approval decision to the gateway.', {
        taskId: turn.taskId,
        error: String(error),
      });
      return undefined;
    }
  }

  #sessionOf(turn: Turn): SessionIdentity {
    return sessionIdentity(this.#options.config.accountId, turn.owner, conversationOf(turn));
  }

  async #save(files: readonly Part[]): Promise<SavedFile[]> {
    const saved: SavedFile[] = [];
    for (const { raw = '', mediaType, filename } of files) {
      const content = Buffer.from(raw, 'base64');
      saved.push(await this.#options.host.saveFile({ content, mediaType, name: filename }));
    }
    return saved;
  }
}

function waitsForDecision(taskId: string): string {
  return `Task ${taskId} of this context is waiting for a tool approval. Answer or cancel it first, or use another context.`;
}

/** The gateway waits until these are on disk: replies count as delivered then, and tools run only after that. */
function isAwaited(event: HostEvent): boolean {
  return event.kind === 'reply' || (event.kind === 'tool' && event.phase === 'start');
}

function rejection(reason: string): string {
  return `The gateway did not run the turn: ${reason}.`;
}

/** If the caller may not decide, the operator is asked. */
function asksCaller({ mayApprove, tools }: Caller): boolean {
  return mayApprove && tools !== 'none';
}

/** The agent on the account's card. */
function describeAgent(config: AccountConfig): AgentDescription {
  return {
    name: config.label ?? 'OpenClaw',
    description: config.description,
    defaultInputModes: [...config.defaultInputModes],
    defaultOutputModes: [...config.defaultOutputModes],
    skills: [...config.skills],
  };
}
