import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { isTerminal } from '@holdword/protocol';
import { isoTime } from '../ids-and-times.ts';
import { type Log, OutageLog } from '../log.ts';
import type {
  EndedRequest,
  FallbackAction,
  FallbackRejection,
  Observer,
  StateChange,
  TaskDeletion,
} from './observer.ts';

/** Where audit lines go: who, what, when, with what outcome. Never content. */
export interface AuditLog {
  /** Writes one line of JSON, without its line break. Returns immediately. */
  write(line: string): void;
  /** Runs once before the log closes, to write what is left. */
  beforeClose(run: () => void): void;
  /** Resolves when everything written so far is in the file. */
  close(): Promise<void>;
}

/** Of strangers: anyone can be refused as often as they like, from many addresses. */
const STRANGERS = { mostKeys: 200, mostLines: 10 };
/** Of callers, whose number is limited by their credentials. */
const CALLERS = { mostKeys: 1_000, mostLines: 100 };

/** Writes a line for every state of a task and for every rejected request, of which repetitions are counted. */
export function auditingObserver(log: AuditLog): Observer {
  const strangers = new RefusalLines(log, STRANGERS);
  const callers = new RefusalLines(log, CALLERS);
  log.beforeClose(() => {
    strangers.writeCounts();
    callers.writeCounts();
  });
  return {
    stateChanged: (change) => log.write(stateLine(change)),
    taskDeleted: (deletion) => log.write(deletionLine(deletion)),
    requestEnded: (call) => {
      const { error: outcome, caller, peer, operation } = call;
      if (outcome === undefined) return;
      const why = { outcome, reason: call.reason && kindOfReason(call.reason) };
      if (caller === undefined) strangers.add({ peer }, why, () => refusalLine(call));
      else callers.add({ caller, operation }, why, () => refusalLine(call));
    },
    fallbackRejected: (refusal) => {
      const { peer, ownerKey: caller, operation, code: outcome } = refusal;
      if (caller === undefined) strangers.add({ peer }, { outcome }, () => fallbackLine(refusal));
      else callers.add({ caller, operation }, { outcome }, () => fallbackLine(refusal));
    },
    fallbackActed: (action) => log.write(actionLine(action)),
  };
}

/** Callers can make up ids of keys: what is left of a reason without them is one of few. */
function kindOfReason(reason: string): string {
  return reason.replaceAll(/\b[0-9a-f]{12}\b/g, '…');
}

type WhoWasRefused = Readonly<Record<string, string | undefined>>;

interface WhyRefused {
  readonly outcome: string;
  readonly reason?: string | undefined;
}

interface RefusalCount {
  readonly key: WhoWasRefused & WhyRefused;
  lines: number;
  /** Refusals without a line of their own. */
  count: number;
  since: string;
}

const COUNTED_MILLISECONDS = 60_000;
/** Of one caller or address with the same outcome; more than that are not told apart by who was refused. */
const MOST_REASONS = 20;

/**
 * Writes the first refusals of each kind, and the number of the others once a minute (J13). A kind is who was refused, the
 * outcome and the reason, so that the one token that expired stands out among many requests without a credential.
 *
 * Responsible for a bounded number of lines: otherwise whoever is refused often enough pushes everything else out of the
 * files that are kept. Beyond a number of kinds, refusals are counted by outcome and reason, and beyond that by outcome alone.
 */
class RefusalLines {
  readonly #log: Pick<AuditLog, 'write'>;
  readonly #mostKeys: number;
  readonly #mostLines: number;
  readonly #counts = new Map<string, RefusalCount>();
  /** How many reasons there are, by who was refused and the outcome. */
  readonly #reasons = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    log: Pick<AuditLog, 'write'>,
    { mostKeys, mostLines }: { readonly mostKeys: number; readonly mostLines: number },
  ) {
    this.#log = log;
    this.#mostKeys = mostKeys;
    this.#mostLines = mostLines;
  }

  add(who: WhoWasRefused, why: WhyRefused, line: () => string): void {
    const counted = this.#countOf(who, why) ?? this.#countOf({}, why) ?? this.#open({ outcome: why.outcome });
    if (counted.lines < this.#mostLines) {
      counted.lines += 1;
      this.#log.write(line());
      return;
    }
    if (counted.count === 0) counted.since = isoTime();
    counted.count += 1;
  }

  writeCounts(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { key, count, since } of this.#counts.values()) {
      if (count > 0)
        this.#log.write(JSON.stringify({ time: isoTime(), event: 'refused', ...key, count, since }));
    }
    this.#counts.clear();
    this.#reasons.clear();
  }

  /** Undefined if there are too many kinds already. */
  #countOf(who: WhoWasRefused, why: WhyRefused): RefusalCount | undefined {
    const known = this.#counts.get(JSON.stringify({ ...who, ...why }));
    if (known !== undefined) return known;
    const group = JSON.stringify({ ...who, outcome: why.outcome });
    const reasons = this.#reasons.get(group) ?? 0;
    const isAnyone = Object.keys(who).length === 0;
    if (reasons >= MOST_REASONS || (!isAnyone && this.#counts.size >= this.#mostKeys)) return undefined;
    this.#reasons.set(group, reasons + 1);
    return this.#open({ ...who, ...why });
  }

  #open(key: RefusalCount['key']): RefusalCount {
    const name = JSON.stringify(key);
    const count = this.#counts.get(name) ?? { key, lines: 0, count: 0, since: '' };
    this.#counts.set(name, count);
    this.#timer ??= setTimeout(() => this.writeCounts(), COUNTED_MILLISECONDS).unref();
    return count;
  }
}

function stateLine({ taskId, ownerKey, state, from }: StateChange): string {
  // The owner is already JSON.
  return (
    `{"time":"${isoTime()}","event":"state","owner":${ownerKey},"task":${JSON.stringify(taskId)},` +
    `${from === undefined ? '' : `"from":"${from}",`}"state":"${state}","ended":${isTerminal(state)}}`
  );
}

function deletionLine({ taskId, ownerKey, by }: TaskDeletion): string {
  const owner = JSON.parse(ownerKey) as unknown;
  return JSON.stringify({ time: isoTime(), event: 'task-deleted', owner, task: taskId, by });
}

function refusalLine({
  caller,
  tenant,
  peer,
  binding,
  version,
  operation,
  error,
  limit,
  reason,
}: EndedRequest): string {
  return JSON.stringify({
    time: isoTime(),
    event: 'refused',
    owner: caller === undefined ? undefined : [tenant ?? '', caller],
    peer,
    binding,
    version,
    operation,
    outcome: error,
    limit,
    reason,
  });
}

function fallbackLine({ named, ownerKey, peer, operation, code }: FallbackRejection): string {
  const owner = ownerKey === undefined ? undefined : (JSON.parse(ownerKey) as unknown);
  return JSON.stringify({ time: isoTime(), event: 'refused', owner, named, peer, operation, outcome: code });
}

function actionLine({ event, ownerKey, agent, peer, about }: FallbackAction): string {
  const owner = ownerKey === undefined ? undefined : (JSON.parse(ownerKey) as unknown);
  return JSON.stringify({ time: isoTime(), event, owner, agent, peer, ...about });
}

export interface AuditFileOptions {
  file: string;
  log: Log;
  /**
   * The file is rotated at this size.
   * @default 67108864 (64 MiB)
   */
  rotateBytes?: number;
  /**
   * How many rotated files are kept.
   * @default 4
   */
  keptFiles?: number;
}

const FLUSH_MILLISECONDS = 500;
const FLUSH_BYTES = 256 * 1024;
const MOST_WAITING_BYTES = 8 * 1024 * 1024;
const DEFAULT_ROTATE_BYTES = 64 * 1024 * 1024;
const DEFAULT_KEPT_FILES = 4;

/** Opens the file for appending, so that a path that is not writable fails at the start. */
export async function openAuditFile(options: AuditFileOptions): Promise<AuditLog> {
  const handle = await open(options.file, 'a', 0o600);
  return new AuditFile(options, handle, (await handle.stat()).size);
}

/**
 * Appends lines to a file.
 *
 * Responsible for order, for a delay of less than a second until a line is in the file, for rotation, and for bounded
 * memory: if the disk does not keep up, lines are dropped and that is logged. Leaves durability to the journal: the
 * newest lines may be lost if the machine crashes.
 */
class AuditFile implements AuditLog {
  readonly #options: AuditFileOptions;
  #handle: FileHandle;
  #size: number;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #dropped = 0;
  /** Lines that could not be written since the last one that was. */
  #lost = 0;
  readonly #outage: OutageLog;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #closed = false;
  readonly #beforeClose: (() => void)[] = [];

  constructor(options: AuditFileOptions, handle: FileHandle, size: number) {
    this.#options = options;
    this.#outage = new OutageLog(options.log, {
      beginning: 'Could not write the audit log. Its lines are lost until this is corrected.',
      end: 'The audit log is written again.',
    });
    this.#handle = handle;
    this.#size = size;
  }

  write(line: string): void {
    if (this.#closed || this.#waitingBytes > MOST_WAITING_BYTES) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += line.length + 1;
    if (this.#waitingBytes >= FLUSH_BYTES) this.#flushSoon();
    else this.#timer ??= setTimeout(() => this.#flushSoon(), FLUSH_MILLISECONDS).unref();
  }

  beforeClose(run: () => void): void {
    this.#beforeClose.push(run);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    for (const run of this.#beforeClose) run();
    this.#closed = true;
    await this.#writing;
    this.#flushSoon();
    await this.#writing;
    await this.#handle.close();
  }

  #flushSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#flush().finally(() => (this.#writing = undefined));
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const text = `${this.#waiting.join('\n')}\n`;
      const lines = this.#waiting.length;
      this.#waiting = [];
      this.#waitingBytes = 0;
      try {
        await this.#append(Buffer.from(text));
        this.#outage.succeeded({ lostLines: this.#lost });
        this.#lost = 0;
      } catch (error) {
        this.#lost += lines;
        this.#outage.failed(error, { file: this.#options.file });
      }
    }
    if (this.#dropped > 0) {
      this.#options.log.error('Dropped lines of the audit log: the disk did not keep up.', {
        lines: this.#dropped,
      });
      this.#dropped = 0;
    }
  }

  async #append(bytes: Buffer): Promise<void> {
    const { rotateBytes = DEFAULT_ROTATE_BYTES } = this.#options;
    if (this.#size > 0 && this.#size + bytes.length > rotateBytes) await this.#rotate();
    await this.#handle.appendFile(bytes);
    this.#size += bytes.length;
  }

  /** `audit.jsonl` becomes `audit.1.jsonl`, which becomes `audit.2.jsonl`; the oldest is replaced. */
  async #rotate(): Promise<void> {
    const { file, keptFiles = DEFAULT_KEPT_FILES } = this.#options;
    for (let number = keptFiles; number > 1; number -= 1) {
      if (await exists(asideName(file, number - 1)))
        await rename(asideName(file, number - 1), asideName(file, number));
    }
    await rename(file, asideName(file, 1));
    const fresh = await open(file, 'a', 0o600);
    await this.#handle.close();
    this.#handle = fresh;
    this.#size = 0;
  }
}

function asideName(file: string, number: number): string {
  const extension = extname(file);
  return `${file.slice(0, file.length - extension.length)}.${number}${extension}`;
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
