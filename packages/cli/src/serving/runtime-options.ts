import { readFile } from 'node:fs/promises';
import type { CardSigningKey } from '@holdword/protocol';
import type { PushOptions, RetentionOptions, RuntimeOptions, ServeRuntimeOptions } from '@holdword/runtime';
import { z } from 'zod';
import type { Config } from '../config/config-schema.ts';
import { whyUnreadable } from '../config/why-unreadable.ts';
import { UsageError } from '../usage-error.ts';

/** The options of the runtime from the configuration. */
export async function runtimeOptions(config: Config): Promise<Omit<RuntimeOptions, 'store' | 'executor'>> {
  const { limits } = config;
  return {
    maxConcurrentTurns: limits.concurrentTurns,
    maxQueuedTurns: limits.queuedTurns,
    reservedPercent: limits.reservedPercent,
    maxTasksPerCaller: limits.tasksPerCaller,
    maxStoredBytesPerCaller: limits.storedBytesPerCaller,
    maxEventBytes: limits.eventBytes,
    maxTaskBytes: limits.taskBytes,
    leaseMilliseconds: config.leaseSeconds * 1000,
    omitRepeatedText: config.omitRepeatedText,
    push: config.push.enabled && (await pushOptions(config.push)),
  };
}

async function pushOptions(push: Config['push']): Promise<PushOptions> {
  return {
    allowPrivate: push.allowPrivate,
    concurrency: push.concurrency,
    targetsPerTask: push.targetsPerTask,
    targetsPerCaller: push.targetsPerCaller,
    timeoutMilliseconds: push.timeoutSeconds * 1000,
    longestPauseMilliseconds: push.longestPauseSeconds * 1000,
    deadLetterMilliseconds: push.deadLetterHours * 3_600_000,
    signingKey:
      push.signingKeyFile === undefined
        ? undefined
        : (await readSigningKey(push.signingKeyFile, 'push.signingKeyFile')).key,
  };
}

/** Undefined if all tasks are kept. */
export function retentionOptions(
  { retention }: Config,
  alsoForget: RetentionOptions['alsoForget'],
  alsoRun?: RetentionOptions['alsoRun'],
): RetentionOptions | undefined {
  const keepsAll = Object.values(retention).every((limit) => limit === undefined);
  // An operator can delete tasks one by one.
  return keepsAll && alsoForget === undefined ? undefined : { ...retention, alsoForget, alsoRun };
}

/** Where and how the runtime is served, from the configuration. */
export async function serveOptions(config: Config): Promise<Omit<ServeRuntimeOptions, 'runtime'>> {
  const { host, port, grpcPort, publicUrl, publicGrpcAddress, card, v03Blocking } = config;
  const {
    concurrentTurns: _turns,
    queuedTurns: _queue,
    tasksPerCaller: _tasks,
    storedBytesPerCaller: _bytes,
    eventBytes: _event,
    taskBytes: _task,
    ...limits
  } = config.limits;
  const { signingKeyFile } = card;
  return {
    host,
    port,
    grpcPort,
    publicUrl,
    publicGrpcAddress,
    v03Blocking,
    limits,
    signingKey:
      signingKeyFile === undefined ? undefined : await readSigningKey(signingKeyFile, 'card.signingKeyFile'),
  };
}

/** Reads the signing keys, to find out whether a server could. */
export async function checkSigningKeys({ card, push }: Config): Promise<void> {
  if (card.signingKeyFile !== undefined) await readSigningKey(card.signingKeyFile, 'card.signingKeyFile');
  if (push.enabled && push.signingKeyFile !== undefined)
    await readSigningKey(push.signingKeyFile, 'push.signingKeyFile');
}

const privateKeySchema = z.looseObject({
  kty: z.string(),
  alg: z.string(),
  kid: z.string(),
  d: z.string(),
});

interface FileSigningKey extends CardSigningKey {
  key: z.infer<typeof privateKeySchema>;
}

/** Reads a private key for signing the card or notifications: a JSON Web Key with `alg` and `kid`. */
export async function readSigningKey(file: string, setting: string): Promise<FileSigningKey> {
  const parsed = privateKeySchema.safeParse(await readJson(file, setting));
  if (!parsed.success) {
    const missing = parsed.error.issues.map((issue) => issue.path.join('.') || 'the object').join(', ');
    throw new UsageError(
      `Invalid signing key ${file} (${setting}): expected a private JSON Web Key with kty, alg, kid and d; ` +
        `missing or invalid: ${missing}.`,
    );
  }
  return { key: parsed.data, algorithm: parsed.data.alg, keyId: parsed.data.kid };
}

async function readJson(file: string, setting: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`Cannot read the signing key ${file} (${setting}): ${whyUnreadable(error)}.`, {
      cause: error,
    });
  }
}
