import type { Task, V03Task } from '@holdword/protocol';
import { coreTaskToV03 } from '@holdword/protocol/internal';
import { countOf } from '../artifacts/shorten.ts';
import { NOTICE } from '../basics/client-names.ts';

const INCOMPLETE =
  'The artifacts are incomplete: they are too large to be followed while the task runs. Call getTask to fetch them.';
const STILL_ASKING =
  'The agent has received the answer, but has not reacted to it yet: this is still the question that was answered. Do not answer again. Call getTask to wait for the agent.';

/** Returned tasks that still show a question which was answered. */
const STILL_ASKING_TASKS = new WeakSet<V03Task>();

/** Whether a task that the session returned still shows the question that was answered: it is not a new one. */
export function showsAnsweredQuestion(task: V03Task): boolean {
  return STILL_ASKING_TASKS.has(task);
}

/** What a `TaskView` knows of its task. */
interface ViewedTask {
  readonly isStillAsking: boolean;
  readonly isIncomplete: boolean;
  readonly foreignEvents: number;
  toReceivedTask(): Task;
}

/** The task of a view for the caller, with what there is to say about it. That does not belong to the task that is saved. */
export function returnedTask(view: ViewedTask, { unreachable, unsaved }: NoticeReasons): V03Task {
  const task = view.toReceivedTask();
  const notice = noticeOf(view, unreachable) ?? unsaved;
  const noted = notice === undefined ? task : { ...task, metadata: { ...task.metadata, [NOTICE]: notice } };
  const returned = coreTaskToV03(noted, 'plain');
  if (view.isStillAsking) STILL_ASKING_TASKS.add(returned);
  return returned;
}

interface NoticeReasons {
  /** Why the agent could not be reached. */
  readonly unreachable: string | undefined;
  /** Why files were not saved. */
  readonly unsaved: string | undefined;
}

function noticeOf(view: ViewedTask, unreachable: string | undefined): string | undefined {
  const asking = view.isStillAsking ? STILL_ASKING : undefined;
  const incomplete = view.isIncomplete ? INCOMPLETE : undefined;
  const reasons =
    unreachable === undefined
      ? [asking ?? incomplete]
      : ['This is the task as it was last seen.', unreachable, asking ?? incomplete];
  const said = [...reasons, foreignEvents(view.foreignEvents)].filter((reason) => reason !== undefined);
  return said.length === 0 ? undefined : said.join(' ');
}

function foreignEvents(count: number): string | undefined {
  if (count === 0) return undefined;
  return `The agent also sent ${countOf(count, 'event')} of another task or context, which ${count === 1 ? 'was' : 'were'} left out. Report this to its operator.`;
}
