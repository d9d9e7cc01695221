import { isTerminal } from '@holdword/protocol';
import { backoffDelay } from '@holdword/protocol/internal';
import type { CommittedEvent, Store } from '@holdword/store';
import type { Log, OutageLog } from '../log.ts';
import type { DeliverySlots } from './delivery-slots.ts';
import type { Outcome } from './send-event.ts';
import {
  callerOf,
  targetKey,
  withoutTrouble,
  type PushTarget,
  type StoredTarget,
  type TargetRecords,
} from './push-targets.ts';

/** What the deliveries of one process share. */
export interface DeliverySurroundings {
  readonly store: Store;
  readonly records: TargetRecords;
  readonly slots: DeliverySlots;
  readonly log: Log;
  /** Is told of failures of the store, once for all targets. */
  readonly outage: OutageLog;
  /** This process. Undefined if no other process can use the store, so nothing has to be claimed. */
  readonly holder: string | undefined;
  readonly claimMilliseconds: number;
  readonly deadLetterMilliseconds: number;
  readonly longestPauseMilliseconds: number;
  send(target: PushTarget, event: CommittedEvent): Promise<Outcome>;
  /** Is told of every attempt, for the counters. */
  attempted(outcome: Outcome): void;
  /** Is told when the target needs no more attention: finished, dead or removed. */
  settled(delivery: TargetDelivery): void;
}

const BATCH_EVENTS = 16;
const SAVE_MILLISECONDS = 2_000;
const FIRST_PAUSE_MILLISECONDS = 1_000;
/** How often a refused event is retried, in case the receiver is being set up. */
const REFUSED_ATTEMPTS = 5;
/** A target is written before its task. If there is no task after this time, it was never created. */
const TASK_MAY_COME_MILLISECONDS = 60_000;
const STORE_TROUBLE_MILLISECONDS = 2_000;

/**
 * Delivers the events of one task to one target, in order, each until it was delivered (J11).
 *
 * Responsible for the target's record: its progress, when to retry, when to give up. The journal is the outbox: a
 * committed event is due here, and the record says which one is next. Progress is saved now and then, so after a crash
 * an event may be sent again, but never skipped. Leaves the request to `send`, and to PushOutbox which targets there
 * are and when there may be new events.
 */
export class TargetDelivery {
  readonly #around: DeliverySurroundings;
  #stored: StoredTarget;
  #target: PushTarget;
  #running: Promise<void> | undefined;
  #again = false;
  #stale = false;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;
  /** When the next attempt is due and when the last one failed, by the monotonic clock: the other one may be set. */
  #pauseEndsAt = 0;
  #failedAt: number | undefined;
  #claimedAt = -Infinity;
  #claimSeen: { value: string; at: number } | undefined;

  constructor(stored: StoredTarget, around: DeliverySurroundings) {
    this.#stored = stored;
    this.#target = stored.target;
    this.#around = around;
    this.#resumePause();
  }

  get target(): PushTarget {
    return this.#target;
  }

  /** Whether the record is unchanged since it was last read or written here. */
  knows({ value }: StoredTarget): boolean {
    return value === this.#stored.value;
  }

  /** There may be something to send. */
  wake(): void {
    if (this.#stopped || this.#timer !== undefined) return;
    this.#again = true;
    if (this.#running === undefined) this.#start();
  }

  /** The record may have changed: it is read again, and a pause is cut short. */
  refresh(): void {
    this.#stale = true;
    this.#clearTimer();
    this.wake();
  }

  /** Starts nothing more. Resolves when what is in progress has ended and is saved. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#clearTimer();
    await this.#running;
    if (this.#target.claim !== undefined && this.#target.claim.holder === this.#around.holder) {
      const { claim: _, ...free } = this.#target;
      await this.#save(free);
    }
  }

  #start(): void {
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      // A wake-up that came when the loop had just ended.
      if (this.#again) this.wake();
    });
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        if (this.#stale && !(await this.#reload())) return;
        if (this.#target.deadSince !== undefined) return this.#around.settled(this);
        const pause = this.#pauseEndsAt - performance.now();
        if (pause > 0) return this.#sleep(pause);
        const { hostname } = new URL(this.#target.url);
        await this.#around.slots.use(callerOf(this.#target), hostname, () => this.#deliverBatch());
      } catch (error) {
        this.#around.outage.failed(error, { target: targetKey(this.#target) });
        this.#stale = true;
        return this.#sleep(STORE_TROUBLE_MILLISECONDS);
      }
    }
  }

  async #deliverBatch(): Promise<void> {
    const { store } = this.#around;
    if (this.#stopped || !(await this.#hold())) return;
    const events = await store.readEvents(this.#target.taskId, this.#target.delivered, BATCH_EVENTS);
    let savedAt = performance.now();
    for (const event of events) {
      if (this.#stopped || this.#stale || this.#isHoggingSlot(events[0] !== event)) break;
      if (!(await this.#hold())) break;
      const outcome = await this.#around.send(this.#target, event);
      if (this.#stopped && outcome.kind !== 'delivered') break;
      this.#around.attempted(outcome);
      if (outcome.kind !== 'delivered') return this.#fail(outcome);
      this.#target = { ...withoutTrouble(this.#target), delivered: event.sequence };
      if (performance.now() - savedAt > SAVE_MILLISECONDS) {
        await this.#save(this.#target);
        savedAt = performance.now();
      }
    }
    await this.#conclude(events.length === 0);
  }

  /** Others wait for the slot, and something was delivered since it was this target's turn. */
  #isHoggingSlot(hasDelivered: boolean): boolean {
    return hasDelivered && this.#around.slots.waiting > 0;
  }

  /** Saves the progress and, if nothing is left, that the target is finished. */
  async #conclude(foundNothing: boolean): Promise<void> {
    const { taskId, delivered, createdAt } = this.#target;
    const header = await this.#around.store.readTask(taskId);
    if (header === undefined) return this.#missTask(createdAt);
    const more = header.lastSequence > delivered;
    const finished = !more && isTerminal(header.state);
    if (finished) await this.#save({ ...this.#target, finishedAt: Date.now() });
    else if (!foundNothing) await this.#save(this.#target);
    if (finished && this.#target.finishedAt !== undefined) this.#around.settled(this);
    this.#again ||= more;
  }

  async #missTask(createdAt: number): Promise<void> {
    if (Date.now() < createdAt + TASK_MAY_COME_MILLISECONDS) return;
    await this.#around.records.remove(this.#target);
    this.#around.settled(this);
  }

  async #fail(outcome: Exclude<Outcome, { kind: 'delivered' }>): Promise<void> {
    const now = Date.now();
    const { attempts: before = 0, since = now } = this.#target.failure ?? {};
    const attempts = before + 1;
    const failingMilliseconds = this.#failingMilliseconds();
    const askedMilliseconds = outcome.kind === 'failed' ? outcome.retryAfterMilliseconds : undefined;
    const delay = backoffDelay(before, {
      firstMilliseconds: FIRST_PAUSE_MILLISECONDS,
      longestMilliseconds: this.#around.longestPauseMilliseconds,
      askedMilliseconds,
    });
    const pauseMilliseconds = Math.round(delay);
    const nextAttemptAt = now + pauseMilliseconds;
    this.#failedAt = performance.now();
    this.#pauseEndsAt = this.#failedAt + pauseMilliseconds;
    const failed: PushTarget = {
      ...this.#target,
      failure: {
        attempts,
        since,
        failingMilliseconds,
        nextAttemptAt,
        pauseMilliseconds,
        error: outcome.error,
      },
    };
    const { log, deadLetterMilliseconds } = this.#around;
    const fields = { target: targetKey(failed), attempts, error: outcome.error };
    if (isHopeless(outcome, attempts, failingMilliseconds, deadLetterMilliseconds)) {
      await this.#save({ ...failed, deadSince: now });
      log.warn(
        'Abandoned the push notifications of a target. Retry them with "holdword push replay".',
        fields,
      );
    } else {
      await this.#save(failed);
      log.info('Could not deliver a push notification. Retrying.', fields);
    }
    this.#again = true;
  }

  /** How long the event has been failing. A pause that another process began counts as planned, whatever clocks say. */
  #failingMilliseconds(): number {
    const { failure } = this.#target;
    if (failure === undefined) return 0;
    const passed =
      this.#failedAt === undefined ? failure.pauseMilliseconds : performance.now() - this.#failedAt;
    return Math.round(failure.failingMilliseconds + passed);
  }

  /** The rest of a pause that is in the record. It is never longer than the pause itself, wherever the clock was set. */
  #resumePause(): void {
    const { failure } = this.#target;
    const rest = failure === undefined ? 0 : failure.nextAttemptAt - Date.now();
    this.#pauseEndsAt = performance.now() + Math.min(rest, failure?.pauseMilliseconds ?? 0);
    this.#failedAt = undefined;
  }

  /** Makes sure that no other process delivers at the same time. Returns false if one does. */
  async #hold(): Promise<boolean> {
    const { holder, claimMilliseconds } = this.#around;
    if (holder === undefined) return true;
    const { claim } = this.#target;
    const now = performance.now();
    if (claim?.holder === holder && now - this.#claimedAt < claimMilliseconds / 2) return true;
    if (claim !== undefined && claim.holder !== holder) {
      const rest = this.#restOfClaim(claim);
      if (rest > 0) {
        this.#stale = true;
        this.#sleep(rest);
        return false;
      }
    }
    const claimed = { holder, until: Date.now() + claimMilliseconds };
    if (!(await this.#save({ ...this.#target, claim: claimed }))) return false;
    this.#claimedAt = now;
    return true;
  }

  /** How long another process's claim still holds: never longer after it was first seen than a claim lasts. */
  #restOfClaim({ holder, until }: NonNullable<PushTarget['claim']>): number {
    const value = `${holder} ${until}`;
    const now = performance.now();
    if (this.#claimSeen?.value !== value) this.#claimSeen = { value, at: now };
    return Math.min(until - Date.now(), this.#claimSeen.at + this.#around.claimMilliseconds - now);
  }

  /** Returns false if the record was changed elsewhere; then that version is read and used. */
  async #save(target: PushTarget): Promise<boolean> {
    const saved = await this.#around.records.replace(this.#stored, target);
    if (saved === undefined) {
      this.#stale = true;
      this.#again = true;
      return false;
    }
    this.#stored = saved;
    this.#target = target;
    return true;
  }

  /** Returns false if the record is gone. */
  async #reload(): Promise<boolean> {
    const stored = await this.#around.records.find(this.#target);
    if (stored === undefined) {
      this.#around.settled(this);
      return false;
    }
    const before = JSON.stringify(this.#target.failure);
    this.#stored = stored;
    this.#target = stored.target;
    this.#stale = false;
    if (JSON.stringify(stored.target.failure) !== before) this.#resumePause();
    return true;
  }

  #sleep(milliseconds: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.wake();
    }, milliseconds);
    this.#timer.unref();
  }

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

function isHopeless(
  outcome: Exclude<Outcome, { kind: 'delivered' }>,
  attempts: number,
  failingMilliseconds: number,
  deadLetterMilliseconds: number,
): boolean {
  if (outcome.kind === 'gone') return true;
  return (outcome.refused && attempts >= REFUSED_ATTEMPTS) || failingMilliseconds >= deadLetterMilliseconds;
}
