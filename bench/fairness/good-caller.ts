import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../../test/e2e/conversation.ts';
import type { Driver } from '../../test/support/drivers/driver.ts';
import { WireError } from '../../test/support/drivers/wire-error.ts';
import { percentile } from '../report/statistics.ts';

/** What the caller saw, in milliseconds. */
export interface Experience {
  readonly calls: number;
  readonly p50: number;
  readonly p99: number;
  /** Calls that got an error. */
  readonly refused: number;
  /** What the first of them said. */
  readonly problem?: string | undefined;
}

const PAUSE_MILLISECONDS = 10;
/** In the meantime, notifications are due within the timeout of a receiver. */
const NOTIFIED_WITHIN_MILLISECONDS = 30_000;

/**
 * One caller that behaves: a blocking send, the task it led to, and a page of its tasks, one after the other. Resolves when the
 * time is up.
 */
export async function behaveWell(driver: Driver, seconds: number): Promise<Experience> {
  const times: number[] = [];
  const problems: string[] = [];
  const time = async <Result>(call: () => Promise<Result>): Promise<Result | undefined> => {
    const startedAt = performance.now();
    try {
      const result = await call();
      times.push(performance.now() - startedAt);
      return result;
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      problems.push(error.message);
      return undefined;
    } finally {
      await pause(PAUSE_MILLISECONDS);
    }
  };
  const until = performance.now() + seconds * 1_000;
  while (performance.now() < until) {
    const sent = await time(() => driver.send(say('echo hello')));
    if (sent !== undefined && 'task' in sent) await time(() => driver.get({ id: sent.task.id }));
    await time(() => driver.list({ pageSize: 10 }));
  }
  return summary(times, problems);
}

/** The same caller wants to be notified: the time from its send to the notification that the task has ended. */
export async function beNotified(driver: Driver, seconds: number): Promise<Experience> {
  const waiting = new Map<string, () => void>();
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      response.writeHead(204).end();
      if (body.includes('TASK_STATE_COMPLETED')) waiting.get(request.url ?? '')?.();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const times: number[] = [];
  const problems: string[] = [];
  const until = performance.now() + seconds * 1_000;
  for (let count = 0; performance.now() < until; count += 1) {
    const path = `/${count}`;
    const notified = new Promise<boolean>((resolve) => waiting.set(path, () => resolve(true)));
    const taskPushNotificationConfig = { url: `http://127.0.0.1:${port}${path}` };
    const startedAt = performance.now();
    await driver.send(say('echo hello', {}, { configuration: { taskPushNotificationConfig } }));
    const late = new AbortController();
    const isLate = pause(NOTIFIED_WITHIN_MILLISECONDS, false, { signal: late.signal }).catch(() => false);
    if (await Promise.race([notified, isLate])) times.push(performance.now() - startedAt);
    else problems.push('A notification did not arrive.');
    late.abort();
    waiting.delete(path);
    await pause(10 * PAUSE_MILLISECONDS);
  }
  receiver.closeAllConnections();
  receiver.close();
  return summary(times, problems);
}

function summary(times: readonly number[], problems: readonly string[]): Experience {
  const ascending = times.toSorted((one, other) => one - other);
  return {
    calls: times.length,
    p50: percentile(ascending, 0.5),
    p99: percentile(ascending, 0.99),
    refused: problems.length,
    problem: problems[0],
  };
}
