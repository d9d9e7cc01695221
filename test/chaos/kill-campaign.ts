import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { Ledger } from './ledger.ts';
import type { Random } from './random.ts';
import type { Scale } from './scale.ts';
import type { RestartingServer } from './server/restarting-server.ts';
import { answerWaiting } from './verify/answer-waiting.ts';
import { examineCopy } from './verify/examine-copy.ts';
import { inParallel } from './verify/in-parallel.ts';
import { verifyEverything } from './verify/verify-everything.ts';
import { verifyKeys } from './verify/verify-keys.ts';
import { verifyTask } from './verify/verify-task.ts';
import { verifyWaiting } from './verify/verify-waiting.ts';
import type { Binding } from './wire/binding.ts';
import { BINDINGS, Client } from './wire/client.ts';

const LONGEST_LOAD_MILLISECONDS = 600;
const LONGEST_START_MILLISECONDS = 700;
/** The log of a recovery, or the announcement of a server without anything to recover. */
const RECOVERY_OR_READY = /its process ended,|Resuming a task|Running a queued task|is ready/;
const MIN_TASKS_PER_KILL = 5;
const VIOLATIONS_SHOWN = 10;
const TASKS_AT_ONCE = 4;
const KEYS_CHECKED_EACH_TIME = 20;

/**
 * Kills a server repeatedly and verifies the data each time.
 *
 * Responsible for the time of the kills and for comparing the ledger with the server after each restart, before clients are
 * admitted again. Leaves the load to its users, who write the ledger.
 */
export class KillCampaign {
  readonly ledger = new Ledger();
  readonly #server: RestartingServer;
  readonly #random: Random;
  readonly #killsBetweenCopies: number;
  readonly #bindings: readonly Binding[];
  readonly #counts = { kills: 0, whileStarting: 0, whileRecovering: 0, verified: 0, waiting: 0, copies: 0 };

  constructor(
    server: RestartingServer,
    random: Random,
    scale: Pick<Scale, 'killsBetweenCopies'>,
    bindings = BINDINGS,
  ) {
    this.#server = server;
    this.#random = random;
    this.#killsBetweenCopies = scale.killsBetweenCopies;
    this.#bindings = bindings;
  }

  get kills(): number {
    return this.#counts.kills;
  }

  /** Kills the server until the count is reached: under load, and sometimes while it starts or recovers. */
  async killUntil(kills: number): Promise<void> {
    while (this.kills < kills) {
      await this.killUnderLoad();
      if (this.#random.chance(0.25) && this.kills < kills) await this.killWhileStarting();
      if (this.#random.chance(0.25) && this.kills < kills) await this.killWhileRecovering();
      await this.restartAndVerify();
    }
  }

  /** Admits clients for a random time, then kills the server. */
  async killUnderLoad(): Promise<void> {
    this.#server.admit();
    await pause(this.#random.integer(0, LONGEST_LOAD_MILLISECONDS));
    await this.kill();
  }

  async killWhileStarting(): Promise<void> {
    this.#server.launch();
    this.#counts.whileStarting += 1;
    await pause(this.#random.integer(0, LONGEST_START_MILLISECONDS));
    await this.kill();
  }

  /** Kills the server as soon as it logs a recovery, or when it is ready if there is nothing to recover. */
  async killWhileRecovering(): Promise<void> {
    this.#server.launch();
    this.#counts.whileRecovering += 1;
    await this.#server.printedOrEnded(RECOVERY_OR_READY);
    await this.kill();
  }

  async kill(): Promise<void> {
    await this.#server.kill();
    this.#counts.kills += 1;
    if (this.kills % this.#killsBetweenCopies !== 0) return;
    await examineCopy(this.#server.dataFolder, this.ledger);
    this.#counts.copies += 1;
  }

  /** Starts the server and verifies the tasks that clients have heard of since the last time. */
  async restartAndVerify(): Promise<void> {
    const client = await this.#restart();
    const { ledger } = this;
    const touched = ledger.takeTouched();
    this.#counts.waiting += await verifyWaiting(client, ledger);
    await inParallel(touched, TASKS_AT_ONCE, async (taskId) => {
      await verifyTask(client, ledger, taskId);
    });
    await verifyKeys(client, ledger, [...ledger.keys].slice(-KEYS_CHECKED_EACH_TIME));
    this.#counts.verified += touched.length;
    this.#expectNoViolations();
  }

  /** The last restart, without load: verifies every task and every key, and answers the waiting tasks. */
  async restartAndVerifyEverything(): Promise<Record<string, number>> {
    const client = await this.#restart();
    const { ledger } = this;
    const tasks = await verifyEverything(client, ledger);
    const answered = await answerWaiting(client, ledger);
    this.#expectNoViolations();
    expect(tasks, 'there must have been load').toBeGreaterThan(MIN_TASKS_PER_KILL * this.kills);
    return {
      kills: this.kills,
      'while starting': this.#counts.whileStarting,
      'while recovering': this.#counts.whileRecovering,
      'tasks, all verified at the end': tasks,
      'tasks verified after a restart': this.#counts.verified,
      'waiting tasks found unchanged': this.#counts.waiting,
      'waiting tasks answered at the end': answered,
      'acknowledged events': ledger.counts.events,
      'acknowledged responses': ledger.counts.responses,
      'idempotency keys': ledger.counts.keys,
      'copied databases verified': this.#counts.copies,
    };
  }

  #expectNoViolations(): void {
    expect(this.ledger.violations.slice(0, VIOLATIONS_SHOWN)).toEqual([]);
  }

  async #restart(): Promise<Client> {
    await this.#server.start();
    return new Client(this.#server.address, this.#random.pick(this.#bindings));
  }
}
