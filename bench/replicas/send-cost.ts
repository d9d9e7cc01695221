import type { TestPostgres } from '@holdword/store/testing/postgres';
import { closedLoop, forSeconds } from '../load/closed-loop.ts';
import { echoExchange } from '../load/exchanges.ts';
import type { BenchOptions } from '../options.ts';
import { cpuTime, cpuTimeOfChildren } from '../peers/cpu-time.ts';
import type { RunningPeer } from '../peers/running-peer.ts';

/** The resources of one send. CPU time is NaN if the system does not provide it. */
export type SendCost = {
  readonly serverMicroseconds: number;
  readonly databaseMicroseconds: number;
  /** Bytes written to the log of the database. */
  readonly logBytes: number;
  /** What another replica spends on the notification. */
  readonly otherReplicaMicroseconds?: number;
};

/** Unlike a rate, this hardly depends on other load on the machine. */
export async function measureSendCost(
  postgres: TestPostgres,
  { connections, seconds }: BenchOptions,
  { url, processId }: RunningPeer,
  other?: RunningPeer,
): Promise<SendCost> {
  const read = (): Promise<Counters> => readCounters(postgres, processId, other?.processId ?? 0);
  const before = await read();
  const { latencies } = await closedLoop({
    url,
    connections,
    shouldContinue: forSeconds(seconds),
    exchange: echoExchange(url),
  });
  const after = await read();
  const each = (name: keyof Counters): number => (after[name] - before[name]) / latencies.length;
  return {
    serverMicroseconds: each('server') * 1000,
    databaseMicroseconds: each('database') * 1000,
    logBytes: each('log'),
    ...(other && { otherReplicaMicroseconds: each('other') * 1000 }),
  };
}

interface Counters {
  readonly server: number;
  readonly database: number;
  readonly log: number;
  readonly other: number;
}

async function readCounters({ query }: TestPostgres, serverId: number, otherId: number): Promise<Counters> {
  const [row] = await query(`
    SELECT split_part(pg_read_file('postmaster.pid'), chr(10), 1)::integer AS process,
      pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::double precision AS log`);
  return {
    server: await cpuTime(serverId),
    database: await cpuTimeOfChildren(Number(row?.['process'])),
    log: Number(row?.['log']),
    other: await cpuTime(otherId),
  };
}
