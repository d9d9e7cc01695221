import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { hasErrorCode } from '@holdword/protocol/internal';
import { whyUnreadable } from '../config/why-unreadable.ts';
import { CommandError } from '../usage-error.ts';
import { DigestChain, type RecordedEvent, type RecordingHeader } from './recording-format.ts';
import type { TaskEvents } from './task-events.ts';

/** Resolves when more can be written. */
export type WriteText = (text: string) => Promise<void>;

/** Writes to a stream at its speed. */
export function writeTo(output: Writable): WriteText {
  return async (text) => {
    if (!output.write(text)) await once(output, 'drain');
  };
}

/** Writes a recording, line by line, and waits for what it is written to. */
export class RecordingWriter {
  readonly #writeText: WriteText;
  readonly #chain = new DigestChain();
  #events = 0;

  constructor(writeText: WriteText) {
    this.#writeText = writeText;
  }

  get events(): number {
    return this.#events;
  }

  begin(header: RecordingHeader): Promise<void> {
    return this.#write(header);
  }

  async write({ sequence, time, input, event }: RecordedEvent): Promise<void> {
    this.#events += 1;
    await this.#write({
      ...(sequence !== undefined && { sequence }),
      ...(time !== undefined && { time }),
      ...(input !== undefined && { input }),
      event,
    });
  }

  end(): Promise<void> {
    return this.#write({ end: { events: this.#events } });
  }

  #write(value: object): Promise<void> {
    return this.#writeText(`${this.#chain.seal(value)}\n`);
  }
}

/**
 * Writes a recording to a new file. It has its name only when it is complete, so that nobody takes half of it for the whole.
 * An existing file is replaced only with `force`.
 */
export async function writeRecordingFile(
  path: string,
  write: (writer: RecordingWriter) => Promise<void>,
  { force = false } = {},
): Promise<void> {
  const draft = `${path}.${process.pid}.part`;
  const output = createWriteStream(draft, { flags: 'wx', mode: 0o600 });
  const done = finished(output);
  done.catch(() => {});
  try {
    await Promise.race([once(output, 'open'), done]);
    await Promise.race([write(new RecordingWriter(writeTo(output))), done]);
    output.end();
    await done;
    if (force) return await rename(draft, path);
    // Unlike a rename, a link never replaces a file.
    await link(draft, path);
  } catch (error) {
    output.destroy();
    if (error instanceof Error && 'syscall' in error) throw notWritten(path, error);
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Why a recording could not be written. */
export function notWritten(path: string, error: Error): CommandError {
  const why = hasErrorCode(error, 'EEXIST')
    ? 'the file exists. Choose another name, or add --force to replace it'
    : hasErrorCode(error, 'ENOSPC')
      ? 'the disk is full'
      : hasErrorCode(error, 'ENOENT')
        ? 'its folder does not exist'
        : whyUnreadable(error);
  return new CommandError(`${path}: ${why}.`, { cause: error });
}

/** A recording of one task. */
export async function writeEvents(writer: RecordingWriter, { header, events }: TaskEvents): Promise<void> {
  await writer.begin(header);
  for await (const event of events) await writer.write(event);
  await writer.end();
}

/** The same as text, line by line. */
export async function* recordingText({
  header,
  events,
}: TaskEvents): AsyncGenerator<string, void, undefined> {
  const lines: string[] = [];
  const writer = new RecordingWriter((line) => {
    lines.push(line);
    return Promise.resolve();
  });
  await writer.begin(header);
  for await (const event of events) {
    await writer.write(event);
    yield* lines.splice(0);
  }
  await writer.end();
  yield* lines;
}
