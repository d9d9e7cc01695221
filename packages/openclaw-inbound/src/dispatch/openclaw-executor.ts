import { randomUUID } from 'node:crypto';
import { ROUTE_KEY, type Part } from '@parley/protocol';
import {
  RetryableError,
  type AgentDescription,
  type Executor,
  type Log,
  type Sink,
  type Turn,
} from '@parley/runtime';
import type { Caller, CallerOf } from '../auth/caller.ts';
import { conversationOf } from '../auth/conversation-of.ts';
import type { AccountConfig } from '../config/account-config.ts';
import type { HostTurnEnd } from '../host/host-turn.ts';
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
}

const RETRY_MILLISECONDS = 5_000;
const ANONYMOUS = 'anonymous';
const NOT_RUN_AGAIN =
  'Interrupted: the gateway went down while the agent was working, and what its tools had done by then is unknown. ' +
  'Look at the artifacts, then send the message again.';
const NOTHING_SAID = 'The message says nothing: expected a part with text or data, found none.';

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
    // The host would take the message for a word to the run that waits.
    const asking = this.#waiting.taskIn(this.#sessionOf(turn).conversationId);
    if (asking !== undefined) return sink.reject(waitsForDecision(asking));
    const { config, host } = this.#options;
    const fileFolders = config.features.files ? host.producedFileFolders : undefined;
    const writer = new TurnWriter(turn, sink, { fileFolders });
    await this.#follow(await this.#start(turn, input), writer, turn, sink);
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

  /** Reads the run to its end, or to a question of a tool. */
  async #follow(run: HostRun, writer: TurnWriter, turn: Turn, sink: Sink): Promise<void> {
    const abort = (): void => run.abort(turn.signal.reason);
    if (turn.signal.aborted) abort();
    turn.signal.addEventListener('abort', abort, { once: true });
    try {
      for (let event = await run.next(); event !== undefined; event = await run.next()) {
        if (event.kind === 'approval') {
          await writer.pause();
          const { conversationId } = this.#sessionOf(turn);
          return await this.#ask({ run, writer, approval: event.approval, conversationId }, turn, sink);
        }
        await writer.write(event);
        if (event.kind === 'reply') await sink.flush();
      }
      const end = await run.ended;
      // Whoever aborted the turn says what became of it.
      if (turn.signal.aborted) return;
      if (end.kind === 'refused') throw refusal(end);
      await writer.end();
    } finally {
      run.leave();
      turn.signal.removeEventListener('abort', abort);
    }
  }

  async #ask(waiting: WaitingRun, turn: Turn, sink: Sink, hint?: string): Promise<void> {
    // First: the answer may come as soon as the question is out.
    this.#waiting.put(turn.taskId, waiting);
    await sink.askInput(approvalQuestion(waiting.approval, hint));
  }

  async #answer(waiting: WaitingRun, turn: Turn, sink: Sink): Promise<void> {
    const { approval, run, writer } = waiting;
    const decision = decisionIn(turn.message, approval);
    if (decision === undefined) return this.#ask(waiting, turn, sink, 'That was neither a yes nor a no.');
    const { host, log } = this.#options;
    const { senderId } = this.#sessionOf(turn);
    try {
      // A question that is no longer open was decided elsewhere or in time: either way the run goes on.
      await host.decideApproval({ approval, decision, senderId });
    } catch (error) {
      log.warn('A decision was not passed on to the gateway.', { taskId: turn.taskId, error: String(error) });
      return this.#ask(waiting, turn, sink, 'The decision could not be passed on; try again.');
    }
    writer.continueIn(sink);
    await this.#follow(run, writer, turn, sink);
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

function refusal({ reason, later = false }: HostTurnEnd & { kind: 'refused' }): Error {
  const message = `The gateway did not run the turn: ${reason}.`;
  return later
    ? new RetryableError(message, { retryAfterMilliseconds: RETRY_MILLISECONDS })
    : new Error(message);
}

/** Where nobody but the operator may decide, the operator is asked. */
function asksCaller({ mayApprove, tools }: Caller): boolean {
  return mayApprove && tools !== 'none';
}
