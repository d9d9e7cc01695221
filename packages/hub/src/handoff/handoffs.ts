import { createHash, randomUUID } from 'node:crypto';
import { isInterrupted, isTerminal, type StreamResponse, type TaskStatus } from '@holdword/protocol';
import type { Store, TaskHeader } from '@holdword/store';
import { timeKey } from '../wire/times.ts';
import { isLive, isUnfinished, type Handoff, type Moment, type OwnTurn, type TaskMoment } from './handoff.ts';

const HANDOFFS = 'hub-handoffs';
/** By task: its current hand-off; marked while the task is being deleted. */
const BY_TASK = 'hub-task-handoffs';
const FORGOTTEN = 'forgotten:';
/** By the task that continues a failed one: the hand-off. */
const BY_CONTINUING_TASK = 'hub-continuing-tasks';
/** By agent and hand-off: the agent's tasks that others offered or claimed, until the agent was told. */
const GIVEN_AWAY = 'hub-given-away';
/** By scope and time: the open hand-offs. */
const OPEN = 'hub-open-handoffs';

/** Selects open hand-offs: of an agent's tasks, of a controller's agents, or by whom they are offered to. */
export type HandoffScope =
  `${'of-agent' | 'of-controller' | 'to-agent' | 'to-controller' | 'to-skill'}:${string}`;

/** The offers of a controller's agents to those with a skill. A skill is free text, which a key must not contain. */
export function skillScope(controllerId: string, skill: string): HandoffScope {
  return `to-skill:${createHash('sha256').update(`${controllerId}/${skill}`).digest('hex')}`;
}

/** A page of open hand-offs to read. */
export interface HandoffQuery {
  readonly limit: number;
  /** The position after which the page begins; undefined for the first page. */
  readonly after?: string | undefined;
  readonly accepts?: (handoff: Handoff, moment: Moment) => boolean;
}

export interface HandoffPage {
  readonly handoffs: readonly Handoff[];
  /** The position of the next page; undefined if this is the last one. */
  readonly next: string | undefined;
}

/** Open hand-offs are read this many at a time, and at most this many for one page. */
const BATCH = 100;
const MAX_READ = 2_000;

export type NewHandoff = Omit<
  Handoff,
  'handoffId' | 'createdAt' | 'rejections' | 'rejectionCount' | 'previousId'
>;

export type OfferOutcome =
  | { readonly handoff: Handoff }
  | { readonly existing: Handoff }
  /** The task does not exist or is being deleted. */
  | { readonly isForgotten: true };

/**
 * Hand-offs in the store.
 *
 * Responsible for a task having one current hand-off, and for serializing changes: each change is a compare-and-set on
 * what was read. Therefore exactly one claim can win.
 * Leaves the changes themselves to the functions of `handoff.ts`, and access control to the methods.
 */
export class Handoffs {
  readonly #store: Store;
  readonly #now: () => number;

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  async find(handoffId: string): Promise<Handoff | undefined> {
    const value = await this.#store.getRecord(HANDOFFS, handoffId);
    return value === undefined ? undefined : decode(value);
  }

  /** The current hand-off of a task or of the task that it continues, open or closed. */
  async ofTask(taskId: string): Promise<Handoff | undefined> {
    const handoffId =
      (await this.#store.getRecord(BY_TASK, taskId)) ??
      (await this.#store.getRecord(BY_CONTINUING_TASK, taskId));
    return handoffId === undefined ? undefined : this.find(handoffId);
  }

  /** Records that a new task continues the failed one. */
  async continueAs(handoffId: string, taskId: string): Promise<void> {
    await this.#store.putRecord(BY_CONTINUING_TASK, taskId, handoffId);
  }

  /** Remembers to tell the owner of a task that another agent offered or claimed it. */
  async giveAway({ agentId, handoffId }: Handoff): Promise<void> {
    await this.#store.putRecord(GIVEN_AWAY, `${agentId}/${handoffId}`, '');
  }

  /** The tasks of an agent that others offered or claimed. */
  async listGivenAway(agentId: string, limit: number): Promise<Handoff[]> {
    const prefix = `${agentId}/`;
    const records = await this.#store.listRecords(GIVEN_AWAY, prefix, { limit });
    const given: Handoff[] = [];
    for (const { key } of records) {
      const handoff = await this.find(key.slice(prefix.length));
      if (handoff === undefined) await this.#store.deleteRecord(GIVEN_AWAY, key);
      else given.push(handoff);
    }
    return given;
  }

  async forgetGivenAway({ agentId, handoffId }: Handoff): Promise<void> {
    await this.#store.deleteRecord(GIVEN_AWAY, `${agentId}/${handoffId}`);
  }

  /** Offers a task, unless it is already offered or handed over. */
  async offer(offered: NewHandoff): Promise<OfferOutcome> {
    let handoff: Handoff = {
      ...offered,
      handoffId: randomUUID(),
      createdAt: this.#now(),
      rejections: [],
      rejectionCount: 0,
    };
    const { handoffId, taskId } = handoff;
    for (;;) {
      const currentId = await this.#store.getRecord(BY_TASK, taskId);
      if (currentId?.startsWith(FORGOTTEN) === true) {
        await this.#store.deleteRecord(HANDOFFS, handoffId);
        return { isForgotten: true };
      }
      const current = currentId === undefined ? undefined : await this.find(currentId);
      if (current !== undefined && isLive(current, await this.momentOf(current), this.#now())) {
        // A concurrent offer came first.
        await this.#store.deleteRecord(HANDOFFS, handoffId);
        return { existing: current };
      }
      // Written before the task points to it: a hand-off that no task points to cannot be claimed.
      if (currentId !== undefined) handoff = { ...handoff, previousId: currentId };
      await this.#store.putRecord(HANDOFFS, handoffId, encode(handoff));
      if (await this.#store.replaceRecord(BY_TASK, taskId, currentId, handoffId)) break;
    }
    await Promise.all(openKeys(handoff).map((key) => this.#store.putRecord(OPEN, key, handoffId)));
    // The task may have been deleted before it pointed to this hand-off.
    if ((await this.#store.readTask(taskId)) !== undefined) return { handoff };
    await this.forget(taskId);
    return { isForgotten: true };
  }

  /**
   * Changes a hand-off and returns the result. `change` is called again after a concurrent change; if it returns undefined,
   * nothing is written.
   */
  async change(
    handoffId: string,
    change: (handoff: Handoff, moment: Moment) => Handoff | undefined,
  ): Promise<Handoff | undefined> {
    for (;;) {
      const value = await this.#store.getRecord(HANDOFFS, handoffId);
      if (value === undefined) return undefined;
      const before = decode(value);
      const after = change(before, { task: await this.momentOf(before), now: this.#now() });
      if (after === undefined) return before;
      if (!(await this.#store.replaceRecord(HANDOFFS, handoffId, value, encode(after)))) continue;
      if (after.closed !== undefined) await this.#unlist(after);
      return after;
    }
  }

  /** Deletes all hand-offs of a task that is being deleted; returns false while a successor holds it or can claim it. */
  async forget(taskId: string): Promise<boolean> {
    const found = await this.#store.getRecord(BY_TASK, taskId);
    if (found === undefined) {
      await this.#store.deleteRecord(BY_CONTINUING_TASK, taskId);
      return true;
    }
    const newestId = found.startsWith(FORGOTTEN) ? found.slice(FORGOTTEN.length) : found;
    let handoff = await this.find(newestId);
    const mark = `${FORGOTTEN}${newestId}`;
    if (found !== mark) {
      if (handoff !== undefined && isLive(handoff, await this.momentOf(handoff), this.#now())) return false;
      // From here on the task cannot be offered; an offer that came first wins.
      if (!(await this.#store.replaceRecord(BY_TASK, taskId, found, mark))) return false;
    }
    const handoffs: Handoff[] = [];
    while (handoff !== undefined) {
      handoffs.push(handoff);
      handoff = handoff.previousId === undefined ? undefined : await this.find(handoff.previousId);
    }
    // Oldest first: if this is interrupted, each is still found through its successor, and the newest through the mark.
    for (const each of handoffs.toReversed()) {
      await this.#unlist(each);
      await this.forgetGivenAway(each);
      await this.#store.deleteRecord(HANDOFFS, each.handoffId);
    }
    return this.#store.deleteRecord(BY_TASK, taskId, mark);
  }

  /**
   * The hand-offs of some scopes that are held or can be claimed, newest first. Those that the query does not accept take no
   * room on the page.
   */
  async listOpen(scopes: readonly HandoffScope[], query: HandoffQuery): Promise<HandoffPage> {
    const { limit, accepts = () => true } = query;
    const handoffs: Handoff[] = [];
    let next = query.after;
    for (let read = 0; read < MAX_READ; read += BATCH) {
      const batch = await this.#openAfter(scopes, next);
      for (const { position, handoffId } of batch) {
        if (handoffs.length === limit) return { handoffs, next };
        next = position;
        const handoff = await this.find(handoffId);
        if (handoff === undefined) continue;
        const moment = { task: await this.momentOf(handoff), now: this.#now() };
        if (!isLive(handoff, moment.task, moment.now)) await this.#unlist(handoff);
        else if (accepts(handoff, moment)) handoffs.push(handoff);
      }
      if (batch.length < BATCH) return { handoffs, next: undefined };
    }
    return { handoffs, next };
  }

  /** The next open hand-offs of several scopes, newest first. A position is the part of a key after its scope. */
  async #openAfter(
    scopes: readonly HandoffScope[],
    after: string | undefined,
  ): Promise<{ position: string; handoffId: string }[]> {
    const lists = await Promise.all(
      scopes.map(async (scope) => {
        const page = after === undefined ? {} : { after: `${scope}/${after}` };
        const records = await this.#store.listRecords(OPEN, `${scope}/`, {
          limit: BATCH,
          descending: true,
          ...page,
        });
        return records.map(({ key, value }) => [key.slice(scope.length + 1), value] as const);
      }),
    );
    return [...new Map(lists.flat())]
      .toSorted(([left], [right]) => (left < right ? 1 : -1))
      .slice(0, BATCH)
      .map(([position, handoffId]) => ({ position, handoffId }));
  }

  /** Reads the current state of the task of a hand-off. */
  async momentOf({ handoffId, taskId, continuedAs, lease }: Handoff): Promise<TaskMoment> {
    const header = await this.#store.readTask(continuedAs ?? taskId);
    const isSuperseded = (await this.#store.getRecord(BY_TASK, taskId)) !== handoffId;
    if (header === undefined) return { isDone: true, isSuperseded, lastSequence: 0 };
    const isDone = !isUnfinished(header.state);
    const asksForTurn = !isDone && lease?.usedAfter !== undefined && lease.until <= this.#now();
    const ownTurn = asksForTurn ? await readOwnTurn(this.#store, header, lease.usedAfter) : undefined;
    return { isDone, isSuperseded, lastSequence: header.lastSequence, ownTurn };
  }

  async #unlist(handoff: Handoff): Promise<void> {
    await Promise.all(openKeys(handoff).map((key) => this.#store.deleteRecord(OPEN, key)));
  }
}

/**
 * Creates a retention hook that deletes the hand-offs of a task together with the task. The hook resolves to false, which
 * keeps the task, while a successor holds it or can still claim it.
 *
 * @example
 * ```ts
 * import { createResponder, forgetHandoffs } from '@holdword/hub';
 * import { openMemoryStore, startRuntime } from '@holdword/runtime';
 *
 * const store = openMemoryStore();
 * await startRuntime({
 *   store,
 *   executor: createResponder({ store }),
 *   retention: { maxAgeHours: 24, alsoForget: forgetHandoffs(store) },
 * });
 * ```
 */
export function forgetHandoffs(store: Store): (taskId: string) => Promise<boolean> {
  const handoffs = new Handoffs(store, Date.now);
  return (taskId) => handoffs.forget(taskId);
}

function openKeys({ handoffId, createdAt, agentId, controllerId, to }: Handoff): string[] {
  const scopes: HandoffScope[] = [
    `of-agent:${agentId}`,
    ...(controllerId === undefined ? [] : [`of-controller:${controllerId}` as const]),
    ...(to.kind === 'agent' ? [`to-agent:${to.agentId}` as const] : []),
    ...(to.kind === 'controller' && controllerId !== undefined
      ? [`to-controller:${controllerId}` as const]
      : []),
    ...(to.kind === 'skill' && controllerId !== undefined ? [skillScope(controllerId, to.skill)] : []),
  ];
  return scopes.map((scope) => `${scope}/${timeKey(createdAt)}/${handoffId}`);
}

function encode(handoff: Handoff): string {
  return JSON.stringify(handoff);
}

/** Only this file writes the records, so their shape is known. */
function decode(value: string): Handoff {
  return JSON.parse(value) as Handoff;
}

const PAGE = 256;

/** Finds in the journal how the turn that started after an event ended, even if other turns followed; undefined without one. */
export async function readOwnTurn(
  store: Store,
  { taskId, lastSequence }: TaskHeader,
  after: number,
): Promise<OwnTurn | undefined> {
  let hasBegun = false;
  for (let cursor = after; cursor < lastSequence;) {
    const events = await store.readEvents(taskId, cursor, PAGE);
    if (events.length === 0) break;
    for (const { json, sequence } of events) {
      cursor = sequence;
      const status = statusIn(json);
      if (status === undefined) continue;
      if (hasBegun && (isTerminal(status.state) || isInterrupted(status.state)))
        return { inWork: false, endedAt: Date.parse(status.timestamp ?? '') };
      hasBegun = true;
    }
  }
  return hasBegun ? { inWork: true } : undefined;
}

/** The status in an event. Artifact updates, which are by far the most frequent, are not parsed. */
function statusIn(json: string): TaskStatus | undefined {
  if (json.startsWith('{"artifactUpdate"')) return undefined;
  const event = JSON.parse(json) as StreamResponse;
  if ('task' in event) return event.task.status;
  return 'statusUpdate' in event ? event.statusUpdate.status : undefined;
}
