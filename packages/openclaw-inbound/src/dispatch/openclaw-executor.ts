import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Part } from '@holdword/protocol';
import { ROUTE_KEY } from '@holdword/protocol/internal';
import {
  RetryableError,
  type AgentDescription,
  type Executor,
  type Log,
  type Sink,
  type Turn,
} from '@holdword/runtime';
import type { ApprovalChoice, HostApproval } from '../approvals/approval-desk.ts';
import type { Caller, CallerOf } from '../auth/caller.ts';
import { conversationOf } from '../auth/conversation-of.ts';
import type { AccountConfig } from '../config/account-config.ts';
import type { Host, SavedFile } from '../host/host.ts';
import { sessionIdentity, type SessionIdentity } from '../sessions/session-identity.ts';
import { approvalQuestion, decisionIn } from './approval-question.ts';
import { describeAgent } from './describe-agent.ts';
import { HostRun } from './host-run.ts';
import { turnInput, type TurnInput } from './turn-input.ts';
import { TurnWriter } from './turn-writer.ts';
import { WaitingRuns, type WaitingRun } from './waiting-runs.ts';

export interface OpenClawExecutorOptions {
  readonly config: AccountConfig;
  readonly host: Host;
  readonly callerOf: CallerOf;
  readonly log: Log;
  /** When the host is asked again that takes a message another time; after 5 s by default. */
  readonly retryMilliseconds?: number;
  /** How long the end of a run may be ahead of the end of its gateway; 10 s by default. */
  readonly stopMilliseconds?: number;
}

const RETRY_MILLISECONDS = 5_000;
/** Longer than a gateway that stops takes from ending its runs to ending its channels. */
const STOP_MILLISECONDS = 10_000;
const ANONYMOUS = 'anonymous';
const NOT_RUN_AGAIN =
  'Interrupted: the gateway went down while the agent was working, and what its tools had done by then is unknown. ' +
  'Look at the artifacts, then send the message again.';
const NOTHING_SAID = 'The message says nothing: expected a part with text or data, found none.';
const NEITHER_YES_NOR_NO = 'That was neither a yes nor a no.';
const NOT_PASSED_ON = 'The decision could not be passed on; try again.';
const ASKED_MEANWHILE =
  'The agent went on without your answer and asks something else now. It has not read your message: send it again after this.';

/**
 * Runs the turns of an account's tasks in the host.
 *
 * Responsible for what a turn may do there (agent, tools and session of its caller, J9), for ending it everywhere when it is
 * canceled, and for runs that wait for an answer between two turns. Leaves the order of turns to the engine (J10), which
 * matters here: the host would steer a second message of a session into the turn that runs.
 */
export class OpenClawExecutor implements Executor {
  readonly card: AgentDescription;
  readonly #options: OpenClawExecutorOptions;
  readonly #waiting = new WaitingRuns();

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
    if (input === undefined) return sink.reject(NOTHING_SAID);
    // The host would take the message for a word to the run that is there.
    const busy = this.#waiting.busyIn(this.#sessionOf(turn).conversationId);
    if (busy?.isAsking === true) return sink.reject(waitsForDecision(busy.taskId));
    if (busy !== undefined) throw this.#later(`task ${busy.taskId} of this context has not ended`);
    await this.#run(turn, input, sink);
  }

  /** A turn without tools has done nothing but talk, and may simply run again. */
  async resume(turn: Turn, sink: Sink): Promise<void> {
    if (this.#options.callerOf(turn.owner).tools === 'none') return this.execute(turn, sink);
    await sink.status(NOT_RUN_AGAIN, { state: 'TASK_STATE_FAILED', metadata: { reason: 'interrupted' } });
  }

  release(taskId: string): void {
    this.#waiting.giveUp(taskId);
  }

  async close(): Promise<void> {
    await this.#waiting.close();
  }

  async #run(turn: Turn, input: TurnInput, sink: Sink, earlier?: TurnWriter): Promise<void> {
    const { config, host } = this.#options;
    const fileFolders = config.features.files ? host.producedFileFolders : undefined;
    const writer = new TurnWriter(turn, sink, { fileFolders }, earlier);
    const run = await this.#start(turn, input);
    if (await this.#read(run, writer, turn, sink)) await this.#end(run, writer, turn);
  }

  async #start(turn: Turn, input: TurnInput): Promise<HostRun> {
    const { host, callerOf } = this.#options;
    const caller = callerOf(turn.owner);
    return new HostRun(host, {
      agent: caller.agent,
      session: this.#sessionOf(turn),
      contextId: turn.contextId,
      senderName: caller.peerName ?? ANONYMOUS,
      messageId: randomUUID(),
      text: input.text,
      context: input.context,
      files: await this.#save(input.files),
      tools: caller.tools,
      asksCaller: asksCaller(caller),
      route: turn.message.metadata?.[ROUTE_KEY],
    });
  }

  /** Reads the run to its end, which is true, or to a question of a tool. */
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
        if (event.kind === 'reply') await sink.flush();
      }
      await run.ended;
      return true;
    } finally {
      run.leave();
      turn.signal.removeEventListener('abort', abort);
    }
  }

  /** Says what became of a run that was read to its end. */
  async #end(run: HostRun, writer: TurnWriter, turn: Turn): Promise<void> {
    const end = await run.ended;
    // Whoever aborted the turn says what became of it.
    if (turn.signal.aborted) return;
    if (end.kind === 'refused') throw end.later ? this.#later(end.reason) : new Error(refusal(end.reason));
    if (writer.hasEnded || (end.kind === 'ended' && !writer.isCutOff)) return writer.end();
    // A gateway that stops ends its runs before its channels. The next start sees to this turn then, as after a crash.
    const mayRunAgain = this.#options.callerOf(turn.owner).tools === 'none';
    if (mayRunAgain && !writer.hasErrors && (await this.#isStopped(turn.signal))) return;
    await writer.interrupt();
  }

  /** Whether the server stops, as far as a while shows. */
  async #isStopped(signal: AbortSignal): Promise<boolean> {
    const { stopMilliseconds = STOP_MILLISECONDS } = this.#options;
    await pause(stopMilliseconds, undefined, { signal }).catch(() => {});
    return signal.aborted;
  }

  #later(reason: string): RetryableError {
    const { retryMilliseconds: retryAfterMilliseconds = RETRY_MILLISECONDS } = this.#options;
    return new RetryableError(refusal(reason), { retryAfterMilliseconds });
  }

  async #ask(waiting: WaitingRun, turn: Turn, sink: Sink, hint?: string): Promise<void> {
    // First: the answer may come as soon as the question is out.
    this.#waiting.put(turn.taskId, waiting);
    await sink.askInput(approvalQuestion(waiting.approval, hint));
  }

  async #answer(waiting: WaitingRun, turn: Turn, sink: Sink): Promise<void> {
    const { approval, run, writer } = waiting;
    const decision = decisionIn(turn.message, approval);
    if (run.isOpen(approval)) {
      if (decision === undefined) return this.#ask(waiting, turn, sink, NEITHER_YES_NOR_NO);
      if (!(await this.#decide(approval, decision, turn)))
        return this.#ask(waiting, turn, sink, NOT_PASSED_ON);
    }
    writer.continueIn(sink);
    if (decision !== undefined) {
      if (await this.#read(run, writer, turn, sink)) await this.#end(run, writer, turn);
    } else {
      await this.#goOnAfter(waiting, turn, sink);
    }
  }

  /** The question was settled without the caller: what the agent did since is shown, and then it reads the message. */
  async #goOnAfter({ run, writer }: WaitingRun, turn: Turn, sink: Sink): Promise<void> {
    if (!(await this.#read(run, writer, turn, sink, ASKED_MEANWHILE)) || turn.signal.aborted) return;
    await writer.handOver();
    const input = turnInput(turn.message, turn.metadata);
    if (input === undefined) await writer.end();
    else await this.#run(turn, input, sink, writer);
  }

  /** False when the gateway could not be told. */
  async #decide(approval: HostApproval, decision: ApprovalChoice, turn: Turn): Promise<boolean> {
    const { host, log } = this.#options;
    const { senderId } = this.#sessionOf(turn);
    try {
      // A question that is no longer open was decided elsewhere or in time: either way the run goes on.
      await host.decideApproval({ approval, decision, senderId });
      return true;
    } catch (error) {
      log.warn('A decision was not passed on to the gateway.', { taskId: turn.taskId, error: String(error) });
      return false;
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
  return `Task ${taskId} of this context waits for a decision about a tool. Answer or cancel it first, or use another context.`;
}

function refusal(reason: string): string {
  return `The gateway did not run the turn: ${reason}.`;
}

/** Where nobody but the operator may decide, the operator is asked. */
function asksCaller({ mayApprove, tools }: Caller): boolean {
  return mayApprove && tools !== 'none';
}
