import { callJson } from '../load/call-json.ts';
import { closedLoop, forExchanges } from '../load/closed-loop.ts';
import { Connection } from '../load/connection.ts';
import { echoExchange } from '../load/exchanges.ts';
import type { Measure } from '../measures.ts';
import { HOLDWORD } from '../peers/peer.ts';
import { startPeer } from '../peers/running-peer.ts';
import { atMost } from '../report/target.ts';
import { compareAlternately, repeat } from './compare-alternately.ts';
import type { GrowthSizes } from './growth-sizes.ts';

const FEW_TASKS = 1_000;
const FILLING_CONNECTIONS = 64;
const PAGE_SIZE = 50;

/** The cost of one page of ListTasks over HTTP, on a server with few and on one with many tasks. */
export async function listPageCost(dataFolder: string, sizes: GrowthSizes): Promise<Measure> {
  await using few = await startPeer(HOLDWORD, dataFolder);
  await using many = await startPeer(HOLDWORD, dataFolder);
  await fill(few.url, FEW_TASKS);
  await fill(many.url, sizes.tasks);
  using fewConnection = await Connection.open(few.url);
  using manyConnection = await Connection.open(many.url);
  const comparison = await compareAlternately(
    repeat(sizes.samples, {
      small: () => timePage(fewConnection, few.url, FEW_TASKS),
      large: () => timePage(manyConnection, many.url, sizes.tasks),
    }),
  );
  return {
    figures: {
      [`pageOf${FEW_TASKS}TasksMilliseconds`]: comparison.small,
      [`pageOf${sizes.tasks}TasksMilliseconds`]: comparison.large,
    },
    target: atMost(`page of ${sizes.tasks} tasks over page of ${FEW_TASKS}`, 1.5, comparison.ratio),
  };
}

async function fill(url: URL, tasks: number): Promise<void> {
  const exchange = echoExchange(url);
  await closedLoop({ url, connections: FILLING_CONNECTIONS, shouldContinue: forExchanges(tasks), exchange });
}

async function timePage(connection: Connection, url: URL, tasks: number): Promise<number> {
  const start = performance.now();
  const page = await callJson(connection, url, { method: 'ListTasks', params: { pageSize: PAGE_SIZE } });
  const time = performance.now() - start;
  checkPage(page, tasks);
  return time;
}

function checkPage(page: unknown, tasks: number): void {
  const { tasks: listed, totalSize } = page as { tasks?: unknown[]; totalSize?: number };
  if (listed?.length === PAGE_SIZE && totalSize === tasks) return;
  throw new Error(
    `Expected a page of ${PAGE_SIZE} of ${tasks} tasks, received ${listed?.length} of ${totalSize} tasks.`,
  );
}
