import { createHash, randomUUID } from 'node:crypto';
import type { Store } from '@holdword/store';
import { timeKey } from '../wire/times.ts';
import { isLive, isUnfinished, lastChangeOf, type Handoff, type Moment, type TaskMoment } from './handoff.ts';
import { readOwnTurn } from './own-turn.ts';

const HANDOFFS = 'hub-handoffs';
/** By task, or by session for reported work: its current hand-off; marked while the task is being deleted. */
const BY_TASK = 'hub-task-handoffs';
const FORGOTTEN = 'forgotten:';
/** By the task that continues a failed one: the hand-off. */
const BY_CONTINUING_TASK = 'hub-continuing-tasks';
/** By agent and hand-off: the agent's tasks that others offered or claimed, until the agent was told. */
const GIVEN_AWAY = 'hub-given-away';
/** By scope and time: the open hand-offs. */
export const OPEN_HANDOFFS = 'hub-open-handoffs';
/** By time: all hand-offs, for operators and for their removal. */
export const HANDOFF_TIMES = 'hub-handoff-times';

/** Selects open hand-offs: all, of an agent's tasks, of a controller's agents, or by whom they are offered to. */
export type HandoffScope =
  'all' | `${'of-agent' | 'of-controller' | 'to-agent' | 'to-controller' | 'to-skill'}:${string}`;

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

interface ListedHandoff {
  readonly position: string;
  readonly handoffId: string;
}

/** Hand-offs are read this many at a time, and at most this many for one page. */
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
    const subject = subjectOf(handoff);
    for (;;) {
      const currentId = await this.#store.getRecord(BY_TASK, subject);
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
      if (await this.#store.replaceRecord(BY_TASK, subject, currentId, handoffId)) break;
    }
    await Promise.all([
      this.#store.putRecord(HANDOFF_TIMES, positionOf(handoff), handoffId),
      ...openKeys(handoff).map((key) => this.#store.putRecord(OPEN_HANDOFFS, key, handoffId)),
    ]);
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
      const now = this.#now();
      const changed = change(before, { task: await this.momentOf(before), now });
      if (changed === undefined) return before;
      const after = changed.closed === before.closed ? changed : { ...changed, closedAt: now };
      if (!(await this.#store.replaceRecord(HANDOFFS, handoffId, value, encode(after)))) continue;
      if (after.closed !== undefined) await this.#unlist(after);
      return after;
    }
  }

  /** Deletes all hand-offs of a task that is being deleted; returns false while a successor holds it or can claim it. */
  async forget(taskId: string): Promise<boolean> {
    if (await this.#isReported(taskId)) return false;
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
    for (const each of handoffs.toReversed()) await this.#delete(each);
    return this.#store.deleteRecord(BY_TASK, taskId, mark);
  }

  /** Whether the task is in a session whose reported work a successor holds or can claim: the packet is made from it. */
  async #isReported(taskId: string): Promise<boolean> {
    const header = await this.#store.readTask(taskId);
    const handoffId = header && (await this.#store.getRecord(BY_TASK, sessionSubject(header.contextId)));
    const handoff = handoffId === undefined ? undefined : await this.find(handoffId);
    return handoff !== undefined && isLive(handoff, await this.momentOf(handoff), this.#now());
  }

  /** Deletes a hand-off that is over and has not changed since `until`. Returns whether it did. */
  async removeOver(handoffId: string, until: number): Promise<boolean> {
    const handoff = await this.find(handoffId);
    if (handoff === undefined || lastChangeOf(handoff) > until) return false;
    if (isLive(handoff, await this.momentOf(handoff), this.#now())) return false;
    // An offer that takes its place at the same time wins.
    await this.#store.deleteRecord(BY_TASK, subjectOf(handoff), handoffId);
    if (handoff.continuedAs !== undefined)
      await this.#store.deleteRecord(BY_CONTINUING_TASK, handoff.continuedAs, handoffId);
    await this.#delete(handoff);
    return true;
  }

  async #delete(handoff: Handoff): Promise<void> {
    await this.#unlist(handoff);
    await this.forgetGivenAway(handoff);
    await this.#store.deleteRecord(HANDOFF_TIMES, positionOf(handoff));
    await this.#store.deleteRecord(HANDOFFS, handoff.handoffId);
  }

  /** All hand-offs, open or over, newest first. */
  async listAll(query: HandoffQuery): Promise<HandoffPage> {
    return this.#collect(query, false, async (after) => {
      const page = after === undefined ? {} : { after };
      const records = await this.#store.listRecords(HANDOFF_TIMES, undefined, {
        limit: BATCH,
        descending: true,
        ...page,
      });
      return records.map(({ key, value }) => ({ position: key, handoffId: value }));
    });
  }

  /** Ends what an agent that can no longer act does in hand-offs. Returns those that changed. */
  async endForAgent(end: (handoff: Handoff, moment: Moment) => Handoff | undefined): Promise<Handoff[]> {
    const ended: Handoff[] = [];
    let after: string | undefined;
    do {
      const page = await this.listOpen(['all'], {
        limit: BATCH,
        after,
        accepts: (handoff, moment) => end(handoff, moment) !== undefined,
      });
      for (const { handoffId } of page.handoffs) {
        const changed = await this.change(handoffId, end);
        if (changed !== undefined) ended.push(changed);
      }
      after = page.next;
    } while (after !== undefined);
    return ended;
  }

  /**
   * The hand-offs of some scopes that are held or can be claimed, newest first. Those that the query does not accept take no
   * room on the page.
   */
  async listOpen(scopes: readonly HandoffScope[], query: HandoffQuery): Promise<HandoffPage> {
    return this.#collect(query, true, (after) => this.#openAfter(scopes, after));
  }

  async #collect(
    query: HandoffQuery,
    openOnly: boolean,
    readAfter: (position: string | undefined) => Promise<ListedHandoff[]>,
  ): Promise<HandoffPage> {
    const { limit, accepts = () => true } = query;
    const handoffs: Handoff[] = [];
    let next = query.after;
    for (let read = 0; read < MAX_READ; read += BATCH) {
      const batch = await readAfter(next);
      for (const { position, handoffId } of batch) {
        if (handoffs.length === limit) return { handoffs, next };
        next = position;
        const handoff = await this.find(handoffId);
        if (handoff === undefined) continue;
        const moment = { task: await this.momentOf(handoff), now: this.#now() };
        if (openOnly && !isLive(handoff, moment.task, moment.now)) await this.#unlist(handoff);
        else if (accepts(handoff, moment)) handoffs.push(handoff);
      }
      if (batch.length < BATCH) return { handoffs, next: undefined };
    }
    return { handoffs, next };
  }

  /** The next open hand-offs of several scopes, newest first. A position is the part of a key after its scope. */
  async #openAfter(scopes: readonly HandoffScope[], after: string | undefined): Promise<ListedHandoff[]> {
    const lists = await Promise.all(
      scopes.map(async (scope) => {
        const page = after === undefined ? {} : { after: `${scope}/${after}` };
        const records = await this.#store.listRecords(OPEN_HANDOFFS, `${scope}/`, {
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
  async momentOf(handoff: Handoff): Promise<TaskMoment> {
    const { handoffId, taskId, continuedAs, lease, reported } = handoff;
    const header = await this.#store.readTask(continuedAs ?? taskId);
    const isSuperseded = (await this.#store.getRecord(BY_TASK, subjectOf(handoff))) !== handoffId;
    if (header === undefined) return { isDone: true, isSuperseded, lastSequence: 0 };
    // Reported work is not the task that reported it: its holder says when it is finished.
    const isDone = reported !== true && !isUnfinished(header.state);
    const asksForTurn = !isDone && lease?.usedAfter !== undefined && lease.until <= this.#now();
    const ownTurn = asksForTurn ? await readOwnTurn(this.#store, header, lease.usedAfter) : undefined;
    return { isDone, isSuperseded, lastSequence: header.lastSequence, ownTurn };
  }

  async #unlist(handoff: Handoff): Promise<void> {
    await Promise.all(openKeys(handoff).map((key) => this.#store.deleteRecord(OPEN_HANDOFFS, key)));
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

/** What has one hand-off at a time: the task, or the session whose reported work it is. */
function subjectOf({
  taskId,
  contextId,
  reported,
}: Pick<Handoff, 'taskId' | 'contextId' | 'reported'>): string {
  return reported === true ? sessionSubject(contextId) : taskId;
}

function sessionSubject(contextId: string): string {
  return `session:${contextId}`;
}

/** The position of a hand-off in every list, to continue a page after it. */
export function positionOf({ handoffId, createdAt }: Handoff): string {
  return `${timeKey(createdAt)}/${handoffId}`;
}

function openKeys(handoff: Handoff): string[] {
  const { agentId, controllerId, to } = handoff;
  const scopes: HandoffScope[] = [
    'all',
    `of-agent:${agentId}`,
    ...(controllerId === undefined ? [] : [`of-controller:${controllerId}` as const]),
    ...(to.kind === 'agent' ? [`to-agent:${to.agentId}` as const] : []),
    ...(to.kind === 'controller' && controllerId !== undefined
      ? [`to-controller:${controllerId}` as const]
      : []),
    ...(to.kind === 'skill' && controllerId !== undefined ? [skillScope(controllerId, to.skill)] : []),
  ];
  return scopes.map((scope) => `${scope}/${positionOf(handoff)}`);
}

function encode(handoff: Handoff): string {
  return JSON.stringify(handoff);
}

/** Only this file writes the records, so their shape is known. */
function decode(value: string): Handoff {
  return JSON.parse(value) as Handoff;
}
