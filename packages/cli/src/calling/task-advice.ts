import { isInterrupted, isTerminal, type TaskState } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import type { Diagnostics } from './diagnostics.ts';
import { field, shellWord, stateOf } from './task-text.ts';

/** The command with which one can go on from here. The ids come from the agent, so they are quoted. */
export function adviseAfter({ words }: Pick<ReachedAgent, 'words'>, task: unknown): string {
  const { id, contextId } = asObject(task);
  const state = stateOf(task) as TaskState;
  if (isInterrupted(state)) {
    return field('Resume', `holdword send ${words} --task-id ${shellWord(String(id))} "<reply>"`);
  }
  if (!isTerminal(state)) return field('Resume', waitCommand(words, String(id)));
  return typeof contextId === 'string' && contextId !== ''
    ? field('Resume', `holdword send ${words} --context-id ${shellWord(contextId)} "<message>"`)
    : '';
}

function waitCommand(words: string, taskId: string): string {
  return `holdword task get ${shellWord(taskId)} ${words} --wait`;
}

/** An agent that a command has found. */
export interface ReachedAgent extends Disposable {
  /** The options that lead to it, for commands that are suggested. */
  readonly words: string;
  readonly sentCredentials: boolean;
}

/** How far a call has come. */
export interface Progress {
  agent?: ReachedAgent;
  /** A message that is on its way: nobody knows whether it arrives. */
  messageId?: string | undefined;
  /** The task that the agent made of it, or that the command is about. */
  taskId?: string | undefined;
}

/** What somebody has to know if a call ends early: what goes on, or may have begun, and how to come back to it. */
export function adviseOn({
  agent,
  messageId,
  taskId,
}: Progress): { happened: string; hint: string } | undefined {
  if (agent === undefined) return undefined;
  const { words } = agent;
  if (taskId !== undefined) {
    return { happened: `Task ${taskId} goes on.`, hint: `Wait for it: ${waitCommand(words, taskId)}` };
  }
  if (messageId === undefined) return undefined;
  return {
    happened: 'It is not known whether the message arrived.',
    hint:
      `Look before you send it again: holdword task list ${words}. Sent with --message-id ${messageId}, it is done ` +
      'only once by an agent that recognizes messages.',
  };
}

const OUTCOMES: { readonly [State in TaskState]?: string } = {
  TASK_STATE_FAILED: 'The task has failed.',
  TASK_STATE_REJECTED: 'The agent rejected the task.',
  TASK_STATE_CANCELED: 'The task was canceled.',
  TASK_STATE_INPUT_REQUIRED: 'The agent asks for input.',
  TASK_STATE_AUTH_REQUIRED: 'The agent asks you to authenticate.',
};

/** The exit code does not say what became of the task. */
export function warnOfOutcome(diagnostics: Diagnostics, task: unknown): void {
  const outcome = OUTCOMES[stateOf(task) as TaskState];
  if (outcome !== undefined) diagnostics.warn(outcome);
}
