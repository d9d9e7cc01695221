import { randomUUID } from 'node:crypto';
import type { Store } from '@holdword/store';
import { isLive, type Handoff, type TaskMoment } from './handoff.ts';
import { isUnfinished } from './is-unfinished.ts';
import { readOwnTurn } from './read-own-turn.ts';
import type { Moment } from './transitions.ts';

const HANDOFFS = 'hub-handoffs';
/** By task: the hand-off that counts; marked, while the task is being forgotten. */
const BY_TASK = 'hub-task-handoffs';
const FORGOTTEN = 'forgotten:';
/** By scope and time: the hand-offs that are not closed. */
const OPEN = 'hub-open-handoffs';
const TIME_DIGITS = 15;

/** Whose open hand-offs: of an agent's tasks, of a controller's agents, or offered to an agent by name. */
export type HandoffScope = `${'of-agent' | 'of-controller' | 'to-agent'}:${string}`;

export type NewHandoff = Omit<
  Handoff,
  'handoffId' | 'createdAt' | 'rejections' | 'rejectionCount' | 'previousId'
>;

export type OfferOutcome =
  | { readonly handoff: Handoff }
  | { readonly existing: Handoff }
  /** There is no such task, or not for much longer. */
  | { readonly isForgotten: true };

/**
 * Hand-offs in the store.
 *
 * Responsible for a task having one hand-off that counts, and for changes of a hand-off coming one after another: each is
 * made from what was read and lands only if nobody else has changed it since. Exactly one claim can therefore win.
 * Leaves what a change is to `transitions`, and who may make it to the methods.
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

  /** The hand-off of a task that counts, whether it is open or closed. */
  async ofTask(taskId: string): Promise<Handoff | undefined> {
    const handoffId = await this.#store.getRecord(BY_TASK, taskId);
    return handoffId === undefined ? undefined : this.find(handoffId);
  }

  /** Offers a task, unless it is offered or handed over already. */
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
        // Of several offers at once this one was not the first.
        await this.#store.deleteRecord(HANDOFFS, handoffId);
        return { existing: current };
      }
      // Before the task points to it; what no task points to cannot be claimed.
      if (currentId !== undefined) handoff = { ...handoff, previousId: currentId };
      await this.#store.putRecord(HANDOFFS, handoffId, encode(handoff));
      if (await this.#store.replaceRecord(BY_TASK, taskId, currentId, handoffId)) break;
    }
    await Promise.all(openKeys(handoff).map((key) => this.#store.putRecord(OPEN, key, handoffId)));
    // It may have been forgotten when nothing pointed from it yet.
    if ((await this.#store.readTask(taskId)) !== undefined) return { handoff };
    await this.forget(taskId);
    return { isForgotten: true };
  }

  /**
   * Changes a hand-off and gives what it is then. The change is asked again when another one came first; it returns
   * undefined for none.
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

  /** Removes all hand-offs of a task that is forgotten itself; false while a successor has it or may claim it. */
  async forget(taskId: string): Promise<boolean> {
    const found = await this.#store.getRecord(BY_TASK, taskId);
    if (found === undefined) return true;
    const newestId = found.startsWith(FORGOTTEN) ? found.slice(FORGOTTEN.length) : found;
    let handoff = await this.find(newestId);
    const mark = `${FORGOTTEN}${newestId}`;
    if (found !== mark) {
      if (handoff !== undefined && isLive(handoff, await this.momentOf(handoff), this.#now())) return false;
      // From here on it cannot be offered; if it just was, that offer counts.
      if (!(await this.#store.replaceRecord(BY_TASK, taskId, found, mark))) return false;
    }
    const handoffs: Handoff[] = [];
    while (handoff !== undefined) {
      handoffs.push(handoff);
      handoff = handoff.previousId === undefined ? undefined : await this.find(handoff.previousId);
    }
    // The oldest first: each is found by the one after it, and the newest by the mark, should this be cut off.
    for (const each of handoffs.toReversed()) {
      await this.#unlist(each);
      await this.#store.deleteRecord(HANDOFFS, each.handoffId);
    }
    return this.#store.deleteRecord(BY_TASK, taskId, mark);
  }

  /** The hand-offs of a scope that somebody has or may claim, newest first. */
  async listOpen(scope: HandoffScope, limit: number): Promise<Handoff[]> {
    const records = await this.#store.listRecords(OPEN, `${scope}/`, { limit, descending: true });
    const listed = await Promise.all(records.map(({ value }) => this.find(value)));
    const open: Handoff[] = [];
    for (const handoff of listed.filter((each) => each !== undefined)) {
      if (isLive(handoff, await this.momentOf(handoff), this.#now())) open.push(handoff);
      else await this.#unlist(handoff);
    }
    return open;
  }

  /** What counts now of the task that the hand-off is about. */
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

function openKeys({ handoffId, createdAt, agentId, controllerId, to }: Handoff): string[] {
  const scopes: HandoffScope[] = [
    `of-agent:${agentId}`,
    ...(controllerId === undefined ? [] : [`of-controller:${controllerId}` as const]),
    ...(to.kind === 'agent' ? [`to-agent:${to.agentId}` as const] : []),
  ];
  const time = String(createdAt).padStart(TIME_DIGITS, '0');
  return scopes.map((scope) => `${scope}/${time}/${handoffId}`);
}

function encode(handoff: Handoff): string {
  return JSON.stringify(handoff);
}

/** Written by this file alone, so its shape is known. */
function decode(value: string): Handoff {
  return JSON.parse(value) as Handoff;
}
