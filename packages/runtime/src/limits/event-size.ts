import { TerminalError } from '../executors/executor-errors.ts';

/** An agent wrote an event that is too large. */
export class EventTooLarge extends TerminalError {}

/** Rejects the JSON of an event that is too large to be stored and sent as one. */
export function checkEventSize(json: string, mostBytes: number): void {
  // A character takes three bytes at most, so most events need not be measured.
  if (json.length * 3 <= mostBytes) return;
  const bytes = Buffer.byteLength(json);
  if (bytes <= mostBytes) return;
  throw new EventTooLarge(
    `The agent wrote an event of ${bytes} bytes; at most ${mostBytes} are allowed. ` +
      'Write large artifacts in chunks, with append, or as a url part.',
  );
}
