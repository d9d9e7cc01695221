import { isInterrupted, isTerminal, type Task } from '@holdword/protocol';
import { GUIDANCE_ARTIFACT, guidanceSchema, type Guidance } from './guidance.ts';

/** The next steps that the agent gave or, without any, steps derived from the state of the task. */
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
    return steps('Act on the answer, then report the result in this session.');
  }
  if (isInterrupted(task.status.state)) {
    return steps(`Answer the question: call message/send with task_id ${task.id}.`);
  }
  if (isTerminal(task.status.state))
    return steps('Read why the task ended, fix the cause, and send the message again.');
  return steps(
    `Check the task: call tasks/get with task_id ${task.id}.`,
    `Cancel the task: call tasks/cancel with task_id ${task.id}.`,
  );
}

function steps(first: string, ...others: string[]): Guidance {
  return { next_action: first, next_actions: [first, ...others] };
}
