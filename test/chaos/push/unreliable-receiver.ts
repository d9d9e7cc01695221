import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { bodyOf } from '../../support/drivers/http-client.ts';
import type { Random } from '../random.ts';

const SLOWEST_MILLISECONDS = 150;

/**
 * A very unreliable receiver: it fails three of ten requests in various ways, is slow, drops the response to accepted events,
 * and disappears entirely.
 *
 * Responsible for recording the events it has accepted by stream (one task and one configuration), in order. Leaves to the
 * test what should have arrived.
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

  /** All accepted events, including duplicates. */
  get takenCount(): number {
    return [...this.#taken.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** The accepted events of a task, in order. */
  takenOf(taskId: string): readonly { sequence: number; body: string }[] {
    return [...this.#taken].find(([stream]) => stream.startsWith(`${taskId}/`))?.[1] ?? [];
  }

  /** Starts to listen, on the same port as before. */
  async open(): Promise<void> {
    const server = createServer((request, response) => {
      // Connections may be cut at any time.
      this.#respond(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
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
