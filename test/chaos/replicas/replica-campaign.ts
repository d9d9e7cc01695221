import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Ledger } from '../ledger.ts';
import type { Load } from '../load/start-load.ts';
import type { Random } from '../random.ts';
import { answerWaiting } from '../verify/answer-waiting.ts';
import { inParallel } from '../verify/in-parallel.ts';
import { settle } from '../verify/settle.ts';
import { verifyEverything } from '../verify/verify-everything.ts';
import { verifyTask } from '../verify/verify-task.ts';
import { verifyWaiting } from '../verify/verify-waiting.ts';
import { BINDINGS, Client } from '../wire/client.ts';
import { LEASE_SECONDS, type ReplicaSet } from './replica-set.ts';

const LONGEST_LOAD_MILLISECONDS = 600;
/** Long enough that the tasks of a paused process have been taken over when it resumes. */
const PAUSE_MILLISECONDS = LEASE_SECONDS * 1000 + 1_000;
const LONGEST_DOWN_MILLISECONDS = 1_500;
/** On top of the lease time, for a busy machine. */
const SLACK_MILLISECONDS = 15_000;
const TASKS_AT_ONCE = 4;
const VIOLATIONS_SHOWN = 10;

export interface CampaignParts {
  ledger: Ledger;
  replicas: ReplicaSet;
  load: Load;
  random: Random;
}

/**
 * Repeatedly disturbs one of several replicas under load, and verifies each time what clients received.
 *
 * Responsible for the timing, and for comparing the ledger with the replicas after each disturbance. Leaves the load to its
 * users, who write the ledger.
 */
export class ReplicaCampaign {
  readonly ledger: Ledger;
  readonly #replicas: ReplicaSet;
  readonly #load: Load;
  readonly #random: Random;
  readonly #counts = { kills: 0, pauses: 0, verified: 0, takenOver: 0, waiting: 0 };
  #longestMilliseconds = 0;

  constructor({ ledger, replicas, load, random }: CampaignParts) {
    this.ledger = ledger;
    this.#replicas = replicas;
    this.#load = load;
    this.#random = random;
  }

  /** Kills a replica and restarts it; others must end its tasks within the lease time. */
  async kill(): Promise<void> {
    await this.#disturb(async () => {
      const victim = await this.#replicas.killOne();
      this.#counts.kills += 1;
      await pause(this.#random.integer(0, LONGEST_DOWN_MILLISECONDS));
      await victim.restart();
    });
  }

  /** Pauses a replica until others have taken over its tasks, then resumes it so that it writes with stale fences (J3). */
  async pause(): Promise<void> {
    await this.#disturb(async () => {
      const victim = this.#replicas.pauseOne();
      this.#counts.pauses += 1;
      await pause(PAUSE_MILLISECONDS);
      await victim.resume();
    });
  }

  /** Disturbs the database and expects the replicas to recover on their own. */
  async disturbDatabase(disturb: () => Promise<void>): Promise<void> {
    await this.#disturb(async () => {
      await disturb();
      await this.#replicas.ready();
    });
  }

  /** Without load: verifies every task and every key, and answers the waiting tasks. */
  async finish(): Promise<Record<string, number>> {
    await this.#load.stop();
    const client = this.#client();
    const tasks = await verifyEverything(client, this.ledger);
    const answered = await answerWaiting(client, this.ledger);
    this.#expectNoViolations();
    return {
      'replicas killed': this.#counts.kills,
      'replicas paused and resumed': this.#counts.pauses,
      'tasks, all verified at the end': tasks,
      'tasks verified after a disturbance': this.#counts.verified,
      'ended by a takeover': this.#counts.takenOver,
      'waiting tasks found unchanged': this.#counts.waiting,
      'waiting tasks answered at the end': answered,
      'acknowledged events': this.ledger.counts.events,
      'acknowledged responses': this.ledger.counts.responses,
      'idempotency keys': this.ledger.counts.keys,
      'longest time from a disturbance to the end of all work, in ms': this.#longestMilliseconds,
    };
  }

  get takenOver(): number {
    return this.#counts.takenOver;
  }

  /** Disturbs under load, waits until all work has ended, and verifies the tasks that clients have heard of since the last time. */
  async #disturb(disturbance: () => Promise<void>): Promise<void> {
    this.#load.resume();
    await pause(this.#random.integer(100, LONGEST_LOAD_MILLISECONDS));
    const startedAt = Date.now();
    await Promise.all([disturbance(), this.#pauseLoadSoon()]);
    const client = this.#client();
    const touched = this.ledger.takeTouched();
    await inParallel(touched, TASKS_AT_ONCE, async (taskId) => {
      const { task } = await settle(client, taskId);
      if (task.status.state === 'TASK_STATE_FAILED') this.#counts.takenOver += 1;
    });
    const tookMilliseconds = Date.now() - startedAt;
    this.#longestMilliseconds = Math.max(this.#longestMilliseconds, tookMilliseconds);
    await inParallel(
      touched,
      TASKS_AT_ONCE,
      async (taskId) => void (await verifyTask(client, this.ledger, taskId)),
    );
    this.#counts.verified += touched.length;
    this.#counts.waiting += await verifyWaiting(client, this.ledger);
    this.#expectNoViolations();
    expect(tookMilliseconds, 'no work may be stuck').toBeLessThan(LEASE_SECONDS * 1000 + SLACK_MILLISECONDS);
  }

  /** The load continues for a while during the disturbance. */
  async #pauseLoadSoon(): Promise<void> {
    await pause(this.#random.integer(0, LONGEST_LOAD_MILLISECONDS));
    await this.#load.pause();
  }

  #expectNoViolations(): void {
    expect(this.ledger.violations.slice(0, VIOLATIONS_SHOWN)).toEqual([]);
  }

  #client(): Client {
    return new Client(this.#replicas.address, this.#random.pick(BINDINGS));
  }
}
