/** A time in milliseconds since the epoch, as it is sent. */
export function isoTime(time: number): string {
  return new Date(time).toISOString();
}

export function secondsBetween(from: number, until: number): number {
  return Math.max(0, Math.floor((until - from) / 1000));
}

/** Times in keys are padded to this many digits. */
const TIME_DIGITS = 15;

/** A time as part of a key in the store: such keys sort chronologically. */
export function timeKey(time: number): string {
  return String(time).padStart(TIME_DIGITS, '0');
}

/** Splits a key that begins with a time and a slash. */
export function splitTimeKey(key: string): { time: number; rest: string } {
  return { time: Number(key.slice(0, TIME_DIGITS)), rest: key.slice(TIME_DIGITS + 1) };
}
