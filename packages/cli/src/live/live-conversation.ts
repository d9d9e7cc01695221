import { isInterrupted, type JsonObject, type Part, type TaskState } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import { describeFailure } from '../calling/call-errors.ts';
import type { CalledAgent } from '../calling/called-agent.ts';
import { waitOptions, type Call } from '../calling/run-call.ts';
import type { NewEvent } from '../calling/seen-task.ts';
import { sendAndFollow, type SendOutcome } from '../calling/send-and-follow.ts';
import { adviseAfter, adviseOn } from '../calling/task-advice.ts';
import { shellWord, stateOf, withoutControls } from '../calling/task-text.ts';
import type { InteractiveTerminal } from '../command-line/terminal.ts';
import { answerQuestion } from './answer-question.ts';
import { Keyboard } from './keyboard.ts';
import { LiveScreen } from './live-screen.ts';
import { TaskDisplay } from './task-display.ts';

/** Where a conversation is: its context, and the task that waits for an answer, if one does. */
export interface ConversationState {
  contextId?: string | undefined;
  taskId?: string | undefined;
  /** The task as it was when its question was asked. */
  answered?: unknown;
  readonly metadata?: JsonObject | undefined;
}

/** How a message ended: the agent is done, its question was left open, or the task goes on without us. */
export type SayOutcome = 'done' | 'left' | 'detached';

/**
 * A conversation on a terminal: sends messages, shows their tasks while they run, and asks the user what the agent asks.
 *
 * Responsible for Ctrl-C while a task runs: the user chooses whether it is canceled, goes on without them, or goes on as before.
 * Carries the context from message to message, and the task only while it waits for an answer.
 */
export class LiveConversation implements Disposable {
  readonly screen: LiveScreen;
  readonly keyboard: Keyboard;
  readonly #call: Call;
  readonly #agent: CalledAgent;
  readonly #state: ConversationState;
  #last: unknown;

  constructor(call: Call, agent: CalledAgent, terminal: InteractiveTerminal, state: ConversationState = {}) {
    this.#call = call;
    this.#agent = agent;
    this.#state = state;
    this.screen = new LiveScreen(terminal);
    this.keyboard = new Keyboard(terminal);
  }

  /** Whether the agent waits for an answer. */
  get isAsked(): boolean {
    return this.#state.taskId !== undefined;
  }

  /** Sends a message, and answers to the agent's questions until it is done. */
  async say(parts: readonly Part[], messageId: string = crypto.randomUUID()): Promise<SayOutcome> {
    let next = { parts, messageId };
    for (;;) {
      const outcome = await this.#send(next.parts, next.messageId);
      if (outcome === undefined) return 'detached';
      const state = this.#state;
      if ('message' in outcome) {
        const { contextId } = asObject(outcome.message);
        if (typeof contextId === 'string' && contextId !== '') state.contextId = contextId;
        return 'done';
      }
      const { task } = outcome;
      const { id, contextId } = asObject(task);
      if (typeof contextId === 'string' && contextId !== '') state.contextId = contextId;
      const isAsking = isInterrupted(stateOf(task) as TaskState);
      state.taskId = isAsking ? String(id) : undefined;
      state.answered = isAsking ? task : undefined;
      this.#last = task;
      this.screen.print(`${this.screen.style('dim', `Task ID: ${withoutControls(String(id))}`)}\n`);
      if (!isAsking) return 'done';
      const answer = await answerQuestion(task, this);
      if (answer === 'left') return 'left';
      next = { parts: answer.parts, messageId: crypto.randomUUID() };
    }
  }

  /** Forgets the context: the next message begins a new conversation. */
  startOver(): void {
    this.#state.contextId = undefined;
    this.#state.taskId = undefined;
    this.#state.answered = undefined;
    this.#last = undefined;
  }

  /** Says how to come back. */
  leave(): void {
    if (this.#last !== undefined) this.screen.print(withoutControls(adviseAfter(this.#agent, this.#last)));
  }

  [Symbol.dispose](): void {
    this.keyboard[Symbol.dispose]();
  }

  /** Shows a failure, and keeps the conversation. */
  showFailure(error: unknown): void {
    const { envelope } = describeFailure(error, { progress: this.#call.progress, isLate: false });
    const { style } = this.screen;
    this.screen.print(`${style('red', `Error: ${envelope.code}`)}\n${withoutControls(envelope.message)}\n`);
    if (envelope.hint !== null) this.screen.print(`${withoutControls(envelope.hint)}\n`);
  }

  /** Resolves with undefined if the user has detached. */
  async #send(parts: readonly Part[], messageId: string): Promise<SendOutcome | undefined> {
    const { signal, progress } = this.#call;
    const { contextId, taskId, answered, metadata } = this.#state;
    progress.messageId = messageId;
    progress.taskId = taskId;
    const detached = new AbortController();
    using display = new TaskDisplay(this.screen);
    const held = new HeldEvents(display);
    const watch = this.#watchInterrupts(display, held, detached);
    try {
      const outcome = await sendAndFollow(
        this.#agent,
        {
          message: {
            messageId,
            role: 'ROLE_USER',
            parts: [...parts],
            ...(contextId !== undefined && { contextId }),
            ...(taskId !== undefined && { taskId }),
          },
          ...(metadata !== undefined && { metadata }),
        },
        {
          ...waitOptions(this.#call),
          signal: AbortSignal.any([signal, detached.signal]),
          answered,
          progress,
          onEvent: (event) => held.take(event),
          onConnection: (isLost) => display.connection(isLost),
        },
      );
      await held.released();
      display.end();
      return outcome;
    } catch (error) {
      if (!detached.signal.aborted) throw error;
      display[Symbol.dispose]();
      this.#printReturn();
      return undefined;
    } finally {
      watch[Symbol.dispose]();
    }
  }

  #printReturn(): void {
    const { progress } = this.#call;
    const { words } = this.#agent;
    const advice = adviseOn(progress);
    if (progress.taskId === undefined || advice === undefined) {
      if (advice !== undefined) this.screen.print(`${advice.happened} ${advice.hint}\n`);
      return;
    }
    const id = shellWord(progress.taskId);
    this.screen.print(
      withoutControls(
        `Detached: the task goes on.\nResume: holdword task subscribe ${id} ${words} --stream\n` +
          `Cancel: holdword task cancel ${id} ${words}\n`,
      ),
    );
  }

  #watchInterrupts(display: TaskDisplay, held: HeldEvents, detached: AbortController): Disposable {
    let watch: Disposable | undefined;
    let isOver = false;
    const begin = (): void => {
      watch = this.keyboard.watch(() => {
        watch?.[Symbol.dispose]();
        watch = undefined;
        void ask();
      });
    };
    const ask = async (): Promise<void> => {
      held.hold();
      display.pause();
      const choice = await this.#offer();
      if (isOver) return;
      if (choice === 'detach') detached.abort(new DOMException('detached', 'AbortError'));
      if (choice === 'cancel') await this.#cancel();
      display.resume();
      held.release();
      if (choice !== 'detach' && !isOver) begin();
    };
    begin();
    return {
      [Symbol.dispose]() {
        isOver = true;
        watch?.[Symbol.dispose]();
      },
    };
  }

  async #offer(): Promise<'cancel' | 'detach' | 'continue'> {
    const typed = await this.keyboard.ask('Cancel the task, detach from it, or go on? (c/d/g) ');
    if ('key' in typed) return 'detach';
    const [first] = typed.line.trim().toLowerCase();
    return first === 'c' ? 'cancel' : first === 'd' ? 'detach' : 'continue';
  }

  async #cancel(): Promise<void> {
    const { progress, signal } = this.#call;
    if (progress.taskId === undefined)
      return this.screen.print('The agent has not accepted the message yet.\n');
    try {
      await this.#agent.call('cancelTask', { id: progress.taskId }, signal);
    } catch (error) {
      this.showFailure(error);
    }
  }
}

/** Events wait while the user is asked. */
class HeldEvents {
  readonly #display: TaskDisplay;
  #waiting: NewEvent[] = [];
  #pause: PromiseWithResolvers<void> | undefined;

  constructor(display: TaskDisplay) {
    this.#display = display;
  }

  take(event: NewEvent): void {
    if (this.#pause !== undefined) this.#waiting.push(event);
    else for (const news of event.news) this.#display.event(news);
  }

  hold(): void {
    this.#pause ??= Promise.withResolvers<void>();
  }

  release(): void {
    const pause = this.#pause;
    this.#pause = undefined;
    for (const event of this.#waiting.splice(0)) this.take(event);
    pause?.resolve();
  }

  /** Resolves when nobody is asked any more. */
  async released(): Promise<void> {
    await this.#pause?.promise;
  }
}
