import { TerminalError } from '../executors/executor-errors.ts';

export const DEFAULT_EVENT_BYTES = 16 * 1024 * 1024;

/** What an agent wrote at once is larger than an event may be. */
export class EventTooLarge extends TerminalError {}

/** Refuses the JSON of an event that is too large to be kept and sent as one. */
export function checkEventSize(json: string, mostBytes: number): void {
  // A character takes three bytes at most, so that most events need not be measured.
  if (json.length * 3 <= mostBytes) return;
  const bytes = Buffer.byteLength(json);
  if (bytes <= mostBytes) return;
  throw new EventTooLarge(
    `The agent wrote an event of ${bytes} bytes; at most ${mostBytes} are allowed. ` +
      'It should write large artifacts in pieces, with append, or as a url part.',
  );
}
