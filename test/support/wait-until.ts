import { setTimeout as pause } from 'node:timers/promises';

/** Asks again and again until the answer is not undefined or false; fails after five seconds. */
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
      throw new Error(`Waited ${timeoutMilliseconds} ms for ${what}`);
    }
    await pause(5);
  }
}
