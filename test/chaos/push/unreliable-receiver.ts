import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { bodyOf } from '../../support/drivers/http-call.ts';
import type { Random } from '../random.ts';

const SLOWEST_MILLISECONDS = 150;

/**
 * A receiver as bad as they come: it fails three requests of ten, in many ways, takes its time, loses answers that it has
 * taken in, and goes away altogether.
 *
 * Responsible for what it has taken in, by stream (one task and one configuration), in the order it came. Leaves to the
 * test what should have come.
 */
export class UnreliableReceiver {
  readonly #random: Random;
  readonly #taken = new Map<string, { sequence: number; body: string }[]>();
  #server: Server | undefined;
  #port = 0;
  requests = 0;
  failures = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hook`;
  }

  /** All that was taken in, repetitions included. */
  get takenCount(): number {
    return [...this.#taken.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** What was taken in of a task, in the order it came. */
  takenOf(taskId: string): readonly { sequence: number; body: string }[] {
    return [...this.#taken].find(([stream]) => stream.startsWith(`${taskId}/`))?.[1] ?? [];
  }

  /** Opens, at the same port as before. */
  async open(): Promise<void> {
    const server = createServer((request, response) => {
      // A connection that is cut in the middle is one of the things that happen.
      this.#answer(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1;
    const body = await bodyOf(request);
    if (this.#random.chance(0.2)) await pause(this.#random.integer(0, SLOWEST_MILLISECONDS));
    if (this.#random.chance(0.3)) this.#fail(response);
    else {
      this.#take(String(request.headers['holdword-delivery-id']), body);
      if (this.#random.chance(0.03)) response.destroy();
      else response.writeHead(204).end();
    }
  }

  #fail(response: ServerResponse): void {
    this.failures += 1;
    const way = this.#random.integer(0, 3);
    if (way === 0) response.destroy();
    else if (way === 1) response.writeHead(503, { 'Retry-After': '1' }).end();
    else if (way === 2) response.writeHead(429).end();
    else response.writeHead(500).end('x'.repeat(100_000));
  }

  #take(deliveryId: string, body: string): void {
    const end = deliveryId.lastIndexOf('/');
    const stream = deliveryId.slice(0, end);
    const taken = this.#taken.get(stream) ?? [];
    taken.push({ sequence: Number(deliveryId.slice(end + 1)), body });
    this.#taken.set(stream, taken);
  }
}
