import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log, Observer } from '@holdword/runtime';
import { observeWith } from '@holdword/runtime/internal';
import {
  auditingObserver,
  createMetrics,
  openAuditFile,
  type Metrics,
} from '@holdword/runtime/internal/observe';
import type { Config } from '../config/config-schema.ts';
import { CommandError } from '../usage-error.ts';
import type { StoreLocation } from './store-location.ts';

/** What watches a server: the figures, and the lines for an auditor. */
export interface Observation {
  readonly observer: Observer;
  /** Absent when they are turned off. */
  readonly metrics?: Metrics;
  close(): Promise<void>;
}

export async function startObservation(
  config: Config,
  location: StoreLocation,
  log: Log,
): Promise<Observation> {
  const metrics = config.metrics?.enabled === false ? undefined : createMetrics();
  const file = await auditFile(config, location);
  const audit = file === undefined ? undefined : await openAudit(file, log);
  const observers = [metrics?.observer, audit && auditingObserver(audit)];
  return {
    observer: observeWith(observers.filter((observer) => observer !== undefined)),
    ...(metrics && { metrics }),
    close: async () => audit?.close(),
  };
}

/** A store in memory has no folder, so that lines are written only where a file is named. */
async function auditFile({ audit }: Config, location: StoreLocation): Promise<string | undefined> {
  if (audit?.enabled === false) return undefined;
  if (audit?.file !== undefined || location.kind === 'memory') return audit?.file;
  // A store of files has made its folder, one in a database has not. A folder that cannot be made is named with its file.
  await mkdir(location.folder, { recursive: true, mode: 0o700 }).catch(() => {});
  return join(location.folder, 'audit.jsonl');
}

async function openAudit(file: string, log: Log): ReturnType<typeof openAuditFile> {
  try {
    return await openAuditFile({ file, log });
  } catch (error) {
    throw new CommandError(
      `The audit log ${file} cannot be written. Name another file under audit.file, or turn it off with audit.enabled.`,
      { cause: error },
    );
  }
}
