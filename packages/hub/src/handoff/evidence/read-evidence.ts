import { taskSchema } from '@holdword/protocol/internal';
import type { Store, TaskHeader } from '@holdword/store';
import { z } from 'zod';
import { EvidenceCollector, type Collected } from './collect-evidence.ts';
import { concludeEvidence } from './conclude-evidence.ts';
import type { Evidence } from './evidence.ts';
import type { TaskEvidence } from './session-facts.ts';

const PAGE = 512;
/** What is read of a task beside the one that is handed over: its request, and the newest events. */
const RECENT_EVENTS = 500;
/** What is read of a session in all: far more than most have, because its plan may be in the first message. */
const MAX_TASKS = 500;
const MAX_EVENTS = 20_000;
const TASK_PAGE = 100;

const snapshotSchema = z.object({ task: taskSchema });

/** What evidence is read from. */
export interface EvidenceQuery {
  /** The task that is handed over. */
  readonly taskId: string;
  /** The tasks of the session. */
  readonly session?: SessionTasks;
  /** Whether a message only asks for the packet. */
  readonly isQuestion?: (text: string) => boolean;
}

/** The tasks of a session, newest first, as many as a packet reads. */
export interface SessionTasks {
  readonly tasks: readonly TaskHeader[];
  /** How many tasks there are. */
  readonly total: number;
}

export async function readSessionTasks(
  store: Store,
  session: { readonly owner: string; readonly contextId: string },
): Promise<SessionTasks> {
  const { owner, contextId } = session;
  const tasks: TaskHeader[] = [];
  let page = await store.listTasks({ owner, contextId, limit: TASK_PAGE });
  tasks.push(...page.tasks);
  while (page.nextCursor !== undefined && tasks.length < MAX_TASKS) {
    page = await store.listTasks({ owner, contextId, limit: TASK_PAGE, cursor: page.nextCursor });
    tasks.push(...page.tasks);
  }
  return { tasks, total: page.totalSize };
}

/** Reads the evidence in the committed journals of a session; undefined if the task does not exist. */
export async function readEvidence(store: Store, query: EvidenceQuery): Promise<Evidence | undefined> {
  const { taskId, session = NO_TASKS, isQuestion = () => false } = query;
  const header = await store.readTask(taskId);
  if (header === undefined) return undefined;
  const main = { header, collected: await collect(store, header, Number.POSITIVE_INFINITY) };
  const tasks: TaskEvidence[] = [main];
  let events = 0;
  for (const other of session.tasks.filter((each) => each.taskId !== taskId)) {
    events += Math.min(other.lastSequence, RECENT_EVENTS);
    if (events > MAX_EVENTS) break;
    tasks.push({ header: other, collected: await collect(store, other, RECENT_EVENTS) });
  }
  const order = new Map(session.tasks.map((each, index) => [each.taskId, index]));
  const age = ({ header: { taskId: id } }: TaskEvidence): number => order.get(id) ?? -1;
  return concludeEvidence({
    tasks: tasks.toSorted((left, right) => age(right) - age(left)),
    main,
    isQuestion,
    unreadTasks: Math.max(0, session.total - tasks.length),
  });
}

const NO_TASKS: SessionTasks = { tasks: [], total: 0 };

async function collect(store: Store, header: TaskHeader, newest: number): Promise<Collected> {
  const { taskId, firstSequence, lastSequence } = header;
  const collector = new EvidenceCollector(taskId);
  let cursor = 0;
  if (firstSequence > 1) {
    const snapshot = await store.readSnapshot(taskId);
    if (snapshot !== undefined) {
      collector.takeTask(snapshotSchema.parse(JSON.parse(snapshot.json)).task, snapshot.sequence);
      cursor = snapshot.sequence;
    }
  } else if (lastSequence > newest) {
    const [first] = await store.readEvents(taskId, 0, 1);
    if (first !== undefined) collector.apply(first);
    cursor = lastSequence - newest;
  }
  // Stops at the header's last event, so that state and facts are consistent.
  while (cursor < lastSequence) {
    const events = await store.readEvents(taskId, cursor, Math.min(PAGE, lastSequence - cursor));
    if (events.length === 0) break;
    for (const event of events) {
      collector.apply(event);
      cursor = event.sequence;
    }
  }
  return collector.collected();
}
