let lastTime = Number.NaN;
let text = '';

/** A time as A2A writes it, made once for all that ask within a millisecond: several do for every message. */
export function isoTime(now: number = Date.now()): string {
  if (now !== lastTime) {
    lastTime = now;
    text = new Date(now).toISOString();
  }
  return text;
}
