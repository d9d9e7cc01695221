import { serverSilent } from './postgres-error.ts';

/** Waits no longer than that for the server. */
export async function within<Result>(milliseconds: number, answer: Promise<Result>): Promise<Result> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(serverSilent()), milliseconds);
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
