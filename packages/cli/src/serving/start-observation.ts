import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasErrorCode } from '@holdword/protocol/internal';
import type { Log, Observer } from '@holdword/runtime';
import { observeWith } from '@holdword/runtime/internal';
import {
  auditingObserver,
  createMetrics,
  openAuditFile,
  requestLog,
  type Metrics,
} from '@holdword/runtime/internal/observe';
import { makeFolders } from '@holdword/store/internal';
import type { Config } from '../config/config-schema.ts';
import { whyUnreadable } from '../config/why-unreadable.ts';
import { CommandError, UsageError } from '../usage-error.ts';
import type { StoreLocation } from './open-store.ts';

/** Metrics and audit log of a server. */
export interface Observation {
  readonly observer: Observer;
  /** Undefined if disabled. */
  readonly metrics: Metrics | undefined;
  /** The audit log. Undefined if none is written. */
  readonly auditFile: string | undefined;
  close(): Promise<void>;
}

export async function startObservation(
  config: Pick<Config, 'metrics' | 'audit' | 'logLevel'>,
  location: StoreLocation,
  log: Log,
): Promise<Observation> {
  const metrics = config.metrics.enabled ? createMetrics() : undefined;
  const file = auditFile(config, location);
  const audit = file === undefined ? undefined : await openAudit(file, log);
  const requests = config.logLevel === 'info' ? requestLog(log) : undefined;
  const observers = [metrics?.observer, audit && auditingObserver(audit), requests];
  return {
    observer: observeWith(observers.filter((observer) => observer !== undefined)),
    metrics,
    auditFile: file,
    close: async () => audit?.close(),
  };
}

/** The memory store has no folder: its server writes an audit log only if a file is configured. */
function auditFile({ audit }: Pick<Config, 'audit'>, location: StoreLocation): string | undefined {
  if (!audit.enabled) return undefined;
  if (audit.file !== undefined || location.kind === 'memory') return audit.file;
  // File stores have created the folder, PostgreSQL has not. If it cannot be created, opening the file fails with its path.
  try {
    makeFolders(location.folder);
  } catch {
    // See above.
  }
  return join(location.folder, 'audit.jsonl');
}

/** Rejects a file whose folder does not exist. */
export function checkAuditFile({ audit }: Pick<Config, 'audit'>): void {
  if (!audit.enabled || audit.file === undefined || existsSync(dirname(audit.file))) return;
  throw new UsageError(unwritable(audit.file, NO_FOLDER));
}

const NO_FOLDER = 'its folder does not exist';

function unwritable(file: string, why: string): string {
  return `Cannot write the audit log ${file}: ${why}. Set another path in audit.file, or disable it with audit.enabled.`;
}

async function openAudit(file: string, log: Log): ReturnType<typeof openAuditFile> {
  try {
    return await openAuditFile({ file, log });
  } catch (error) {
    const why = hasErrorCode(error, 'ENOENT') ? NO_FOLDER : whyUnreadable(error);
    throw new CommandError(unwritable(file, why), { cause: error });
  }
}
