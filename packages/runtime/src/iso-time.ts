let lastTime = Number.NaN;
let lastText = '';

/** A time in the format of A2A, created once per millisecond: every message needs several. */
export function isoTime(now: number = Date.now()): string {
  if (now !== lastTime) {
    lastTime = now;
    lastText = new Date(now).toISOString();
  }
  return lastText;
}

/** The milliseconds of a time; cached for the most recent one. */
export function millisecondsOf(time: string): number {
  return time === lastText ? lastTime : Date.parse(time);
}
