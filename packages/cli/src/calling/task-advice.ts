import { isInterrupted, isTerminal, type TaskState } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import type { CalledAgent } from './called-agent.ts';
import type { Diagnostics } from './diagnostics.ts';
import { field, shellWord, stateOf } from './task-text.ts';

/** The command with which one can go on from here. The ids come from the agent, so they are quoted. */
export function adviseAfter(agent: CalledAgent, task: unknown): string {
  const { id, contextId } = asObject(task);
  const state = stateOf(task) as TaskState;
  const to = `-a ${shellWord(agent.reference)}`;
  if (isInterrupted(state)) {
    return field('Resume', `holdword send ${to} --task-id ${shellWord(String(id))} "<reply>"`);
  }
  if (!isTerminal(state)) return field('Resume', resumeCommand(agent, String(id)));
  return typeof contextId === 'string' && contextId !== ''
    ? field('Resume', `holdword send ${to} --context-id ${shellWord(contextId)} "<message>"`)
    : '';
}

/** Waits for a task that goes on. */
export function resumeCommand({ reference }: CalledAgent, taskId: string): string {
  return `holdword task get ${shellWord(taskId)} -a ${shellWord(reference)} --wait`;
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
