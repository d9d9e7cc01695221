let lastTime = Number.NaN;
let lastText = '';

/** A time as A2A writes it, made once for all that ask within a millisecond: several do for every message. */
export function isoTime(now: number = Date.now()): string {
  if (now !== lastTime) {
    lastTime = now;
    lastText = new Date(now).toISOString();
  }
  return lastText;
}

/** The milliseconds that a time stands for; known already for the one that was written last. */
export function millisecondsOf(time: string): number {
  return time === lastText ? lastTime : Date.parse(time);
}
