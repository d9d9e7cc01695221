/*
 * The side that offers to pair. It answers three requests: the exchange of public values, what the other side has to say, and
 * whether the other side could use what it got. A code is good once, for ten minutes and for a few attempts; every exchange that is
 * started counts as one, so that codes cannot be tried at the same time.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readAtMost } from '@holdword/net/internal';
import { asObject } from '@holdword/protocol/internal';
import { z } from 'zod';
import { KeyExchange, type SealedChannel } from './key-exchange.ts';

export const MOST_ATTEMPTS = 5;
export const OFFER_MILLISECONDS = 600_000;
const MOST_BYTES = 64 * 1024;

/** What one side tells the other about itself. */
export const introductionSchema = z.object({
  name: z
    .string()
    .min(1)
    .max(64)
    .regex(/^[\w.-]+$/),
  /** Where its agent is called; absent if it only calls. */
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .optional(),
  /** The key for its agent. */
  key: z
    .string()
    .min(1)
    .max(4_096)
    .regex(/^[\x21-\x7e]+$/)
    .optional(),
});
export type Introduction = z.infer<typeof introductionSchema>;

/** What one side found when it called the other. */
export const outcomeSchema = z.object({ problem: z.string().max(500).optional() });
export type Outcome = z.infer<typeof outcomeSchema>;

/** Why an offer refuses: the code was wrong, it was used, it is too old, or too many were tried. */
export type Refusal = 'wrong-code' | 'used' | 'expired' | 'too-many-attempts';

export interface OfferOptions {
  readonly code: string;
  readonly host: string;
  readonly port: number;
  /** Milliseconds, of a clock. */
  readonly now?: () => number;
  /** The other side has the code. Resolves with what it gets to know, and what calling it has shown. */
  readonly meet: (other: Introduction) => Promise<{ introduction: Introduction; outcome: Outcome }>;
  /** The other side has tried it. */
  readonly finish: (outcome: Outcome) => Promise<void>;
  readonly refused: (why: Refusal) => void;
}

/** An open offer. */
export interface PairingOffer {
  readonly port: number;
  close(): Promise<void>;
}

export async function openOffer(options: OfferOptions): Promise<PairingOffer> {
  const offer = new Offer(options);
  const server = createServer((request, response) => void offer.answer(request, response));
  server.requestTimeout = 30_000;
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server) };
}

async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

class Offer {
  readonly #options: OfferOptions;
  readonly #now: () => number;
  readonly #until: number;
  readonly #channels = new Map<string, SealedChannel>();
  #attempts = 0;
  #accepted: SealedChannel | undefined;

  constructor(options: OfferOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#until = this.#now() + OFFER_MILLISECONDS;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const step = STEPS[request.method === 'POST' ? (request.url ?? '') : ''];
    if (step === undefined) return send(response, 404, { error: 'Join with: holdword join CODE@HOST:PORT' });
    try {
      const body = asObject(JSON.parse(await readAtMost(request, MOST_BYTES)));
      await this[step](body, response);
    } catch {
      send(response, 400, { error: 'The request is invalid.' });
    }
  }

  async start(body: Fields, response: ServerResponse): Promise<void> {
    const refusal = this.#refusal();
    if (refusal !== undefined) return this.#refuse(response, refusal);
    this.#attempts += 1;
    const exchange = new KeyExchange('pair', this.#options.code);
    const channel = exchange.channelWith(String(body['value']));
    if (channel === undefined) return send(response, 400, { error: 'The request is invalid.' });
    const id = String(this.#attempts);
    this.#channels.set(id, channel);
    send(response, 200, { id, value: exchange.publicValue });
  }

  async introduce(body: Fields, response: ServerResponse): Promise<void> {
    const channel = this.#channels.get(String(body['id']));
    // Each exchange is good for one attempt.
    this.#channels.delete(String(body['id']));
    if (this.#accepted !== undefined) return this.#refuse(response, 'used');
    if (this.#now() > this.#until) return this.#refuse(response, 'expired');
    const { data } = introductionSchema.safeParse(channel?.open(String(body['sealed'])));
    if (channel === undefined || data === undefined) return this.#refuse(response, 'wrong-code');
    this.#accepted = channel;
    send(response, 200, { sealed: channel.seal(await this.#options.meet(data)) });
  }

  async confirm(body: Fields, response: ServerResponse): Promise<void> {
    const { data } = outcomeSchema.safeParse(this.#accepted?.open(String(body['sealed'])));
    if (data === undefined) return this.#refuse(response, 'wrong-code');
    await this.#options.finish(data);
    send(response, 200, {});
  }

  #refusal(): Refusal | undefined {
    if (this.#accepted !== undefined) return 'used';
    if (this.#now() > this.#until) return 'expired';
    return this.#attempts >= MOST_ATTEMPTS ? 'too-many-attempts' : undefined;
  }

  #refuse(response: ServerResponse, why: Refusal): void {
    this.#options.refused(why);
    send(response, why === 'wrong-code' ? 403 : 410, { refused: why });
  }
}

type Fields = Readonly<Record<string, unknown>>;

const STEPS: Readonly<Record<string, 'start' | 'introduce' | 'confirm'>> = {
  '/pairing/start': 'start',
  '/pairing/introduce': 'introduce',
  '/pairing/confirm': 'confirm',
};

function send(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent) return;
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    Connection: 'close',
  });
  response.end(`${JSON.stringify(body)}\n`);
}
