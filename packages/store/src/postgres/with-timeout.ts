import { serverUnresponsive } from './postgres-error.ts';

/** Rejects with `unavailable` if the server does not respond in time. */
export async function withTimeout<Result>(milliseconds: number, response: Promise<Result>): Promise<Result> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(serverUnresponsive()), milliseconds);
  try {
    return await Promise.race([response, timedOut]);
  } finally {
    clearTimeout(timer);
  }
}
