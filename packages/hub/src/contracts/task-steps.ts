import { isInterrupted, isTerminal, type Task } from '@holdword/protocol';
import { GUIDANCE_ARTIFACT, guidanceSchema, type Guidance } from './guidance.ts';

/** The next steps that the agent gave, or those that follow from the state of its task. */
export function stepsOf(task: Task | undefined): Guidance {
  return (task && guidanceIn(task)) ?? stepsFromState(task);
}

function guidanceIn(task: Task): Guidance | undefined {
  const artifact = task.artifacts?.findLast(({ name }) => name === GUIDANCE_ARTIFACT);
  const data = artifact?.parts.find((part) => part.data !== undefined)?.data;
  const guidance = guidanceSchema.safeParse(data);
  return guidance.success ? guidance.data : undefined;
}

function stepsFromState(task: Task | undefined): Guidance {
  if (task === undefined || task.status.state === 'TASK_STATE_COMPLETED') {
    return steps('Act on the answer, then say in this session what came of it.');
  }
  if (isInterrupted(task.status.state)) {
    return steps(`Answer the question: message/send with task_id ${task.id}.`);
  }
  if (isTerminal(task.status.state))
    return steps('Read why it ended, mend that, and send the message again.');
  return steps(
    `Ask again: tasks/get with task_id ${task.id}.`,
    `Give it up: tasks/cancel with task_id ${task.id}.`,
  );
}

function steps(first: string, ...others: string[]): Guidance {
  return { next_action: first, next_actions: [first, ...others] };
}
