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

/** A program, a child in its group, one in a group and one in a session of its own, and what it waits for. */
const PROCESSES_PER_TURN = 5;
const AT_ONCE = 10;
const PATIENCE_MILLISECONDS = 60_000;

/**
 * Turns that run at once on a server, each with a program that ignores requests to end and has started others.
 *
 * Knows every process of them by its mark. Leaves to the campaign how they are to end.
 */
export class StubbornTurns {
  readonly #server: RestartingServer;
  readonly #taskIds: string[] = [];
  readonly #marks = new Set<string>();

  private constructor(server: RestartingServer) {
    this.#server = server;
  }

  /** All programs and what they have started live when this resolves. */
  static async begin(server: RestartingServer, count: number): Promise<StubbornTurns> {
    const turns = await StubbornTurns.beginApart(server, count);
    const allLive = async (): Promise<boolean> => (await turns.living()) === count * PROCESSES_PER_TURN;
    await waitUntil('all that the programs start', allLive, PATIENCE_MILLISECONDS);
    return turns;
  }

  /** Every program has been seen when this resolves; the first ones may have ended by then. */
  static async beginApart(server: RestartingServer, count: number): Promise<StubbornTurns> {
    const turns = new StubbornTurns(server);
    const allSeen = waitUntil(`${count} programs`, () => turns.#look(count), PATIENCE_MILLISECONDS);
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

  /** Resolves when all tasks are in that state for that reason. */
  async allHave(state: string, reason?: RegExp): Promise<void> {
    await inParallel(this.#taskIds, AT_ONCE, async (id) => {
      const read = async (): Promise<Task> => JSON.parse(await this.#client.getTask(id)) as Task;
      await waitUntil(state, async () => (await read()).status.state === state, PATIENCE_MILLISECONDS);
      if (reason !== undefined) expect((await read()).status.message?.parts[0]?.text).toMatch(reason);
    });
  }

  async living(): Promise<number> {
    return (await livingProcesses([...this.#marks])).length;
  }

  /** Resolves when no process of these turns is left, and none is recorded any more. */
  async allGone(): Promise<void> {
    await waitUntil(
      'the end of all processes',
      async () => (await this.living()) === 0,
      PATIENCE_MILLISECONDS,
    );
    const forgotten = async (): Promise<boolean> => (await recordedMarks(this.#processFolder)).length === 0;
    await waitUntil('the end of all records', forgotten, PATIENCE_MILLISECONDS);
  }

  async #look(count: number): Promise<boolean> {
    for (const mark of await recordedMarks(this.#processFolder)) this.#marks.add(mark);
    return this.#marks.size === count;
  }
}
