import { setTimeout as pause } from 'node:timers/promises';

/** Polls until the result is neither undefined nor false; throws after five seconds by default. */
export async function waitUntil<T>(
  what: string,
  ask: () => T | Promise<T>,
  timeoutMilliseconds = 5_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMilliseconds;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) {
      return answer;
    }
    if (Date.now() > deadline) {
      throw new Error(`Timed out after ${timeoutMilliseconds} ms waiting for ${what}`);
    }
    await pause(5);
  }
}
