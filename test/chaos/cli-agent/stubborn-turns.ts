import { expect } from 'vitest';
import { join } from 'node:path';
import type { Task } from '@holdword/protocol';
import { livingProcesses, recordedMarks } from '@holdword/runtime/testing/child-process';
import { waitUntil } from '../../support/wait-until.ts';
import { messageRequest } from '../load/message-request.ts';
import type { RestartingServer } from '../server/restarting-server.ts';
import { inParallel } from '../verify/in-parallel.ts';
import { Client } from '../wire/client.ts';
import { restBinding } from '../wire/rest-binding.ts';

/** A program, a child in its group, one in a separate group, one in a separate session, and the command it waits for. */
const PROCESSES_PER_TURN = 5;
const AT_ONCE = 10;
const TIMEOUT_MILLISECONDS = 60_000;

/**
 * Concurrent turns on a server, each with a program that ignores SIGTERM and has started others.
 *
 * Finds all their processes by a marker. Leaves to the campaign how they end.
 */
export class StubbornTurns {
  readonly #server: RestartingServer;
  readonly #taskIds: string[] = [];
  readonly #marks = new Set<string>();

  private constructor(server: RestartingServer) {
    this.#server = server;
  }

  /** Resolves when all programs and their children are running. */
  static async begin(server: RestartingServer, count: number): Promise<StubbornTurns> {
    const turns = await StubbornTurns.beginApart(server, count);
    const allLive = async (): Promise<boolean> => (await turns.living()) === count * PROCESSES_PER_TURN;
    await waitUntil('all children of the programs', allLive, TIMEOUT_MILLISECONDS);
    return turns;
  }

  /** Resolves when every program has been seen; the first ones may have ended by then. */
  static async beginApart(server: RestartingServer, count: number): Promise<StubbornTurns> {
    const turns = new StubbornTurns(server);
    const allSeen = waitUntil(`${count} programs`, () => turns.#look(count), TIMEOUT_MILLISECONDS);
    await inParallel(Array.from({ length: count }).keys(), AT_ONCE, async (number) => {
      const request = messageRequest('stubborn', `turn ${number}`, { returnImmediately: true });
      const task = JSON.parse(await turns.#client.send(request)) as Task;
      turns.#taskIds.push(task.id);
    });
    await allSeen;
    return turns;
  }

  get #client(): Client {
    return new Client(this.#server.address, restBinding);
  }

  get #processFolder(): string {
    return join(this.#server.dataFolder, 'processes');
  }

  async cancelAll(): Promise<void> {
    await inParallel(this.#taskIds, AT_ONCE, async (id) => void (await this.#client.cancelTask(id)));
  }

  /** Resolves when all tasks are in the given state for the given reason. */
  async allHave(state: string, reason?: RegExp): Promise<void> {
    await inParallel(this.#taskIds, AT_ONCE, async (id) => {
      const read = async (): Promise<Task> => JSON.parse(await this.#client.getTask(id)) as Task;
      await waitUntil(state, async () => (await read()).status.state === state, TIMEOUT_MILLISECONDS);
      if (reason !== undefined) expect((await read()).status.message?.parts[0]?.text).toMatch(reason);
    });
  }

  async living(): Promise<number> {
    return (await livingProcesses([...this.#marks])).length;
  }

  /** Resolves when no process of these turns is left and none is recorded any more. */
  async allGone(): Promise<void> {
    await waitUntil(
      'the end of all processes',
      async () => (await this.living()) === 0,
      TIMEOUT_MILLISECONDS,
    );
    const forgotten = async (): Promise<boolean> => (await recordedMarks(this.#processFolder)).length === 0;
    await waitUntil('the end of all records', forgotten, TIMEOUT_MILLISECONDS);
  }

  async #look(count: number): Promise<boolean> {
    for (const mark of await recordedMarks(this.#processFolder)) this.#marks.add(mark);
    return this.#marks.size === count;
  }
}
