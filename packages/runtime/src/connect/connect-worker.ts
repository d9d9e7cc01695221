import { checkArgument, hasMethods } from '@holdword/protocol/internal';
import { z } from 'zod';
import type { Executor } from '../executors/executor.ts';
import { MOST_SLOTS } from './wire.ts';
import { type ConnectedWorker, type ConnectWorkerOptions, Worker } from './worker.ts';

const optionsSchema = z.looseObject({
  host: z.string(),
  token: z.string().regex(/^\S+$/, 'expected a token, as "holdword agents add NAME" prints it'),
  executor: z.custom<Executor>(
    (value) => hasMethods(value, 'execute'),
    'expected an object with a method execute(turn, sink)',
  ),
  slots: z.int().min(1).max(MOST_SLOTS).optional(),
  affinity: z.boolean().optional(),
  once: z.boolean().optional(),
});

/**
 * Connects an agent to a host, which serves it to callers. The worker dials out, so the agent needs no address of its own.
 *
 * @throws TypeError if an option is not what it should be.
 * @throws Error if the host refuses the token. A host that cannot be reached is retried.
 * @example
 * ```ts
 * const worker = await connectWorker({
 *   host: 'https://host.example',
 *   token: process.env['HOLDWORD_WORKER_TOKEN'] ?? '',
 *   executor: { execute: async (turn, sink) => sink.complete('Hello from my laptop.') },
 * });
 * console.log(worker.url);
 * await worker.done;
 * ```
 */
export async function connectWorker(options: ConnectWorkerOptions): Promise<ConnectedWorker> {
  checkArgument('connectWorker({ host, token, executor })', optionsSchema, options);
  const worker = new Worker(options);
  await worker.start();
  return worker;
}
