import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { targetOf } from './peers/driver-target.ts';
import type { BenchOptions } from './options.ts';
import { holdwordCommand, type Peer } from './peers/peer.ts';
import { startPeer } from './peers/running-peer.ts';
import type { BenchResult } from './report/report.ts';
import { formatNumber, formatTable } from './report/table.ts';
import { atMost } from './report/target.ts';
import { startMixedLoad } from './soak/mixed-load.ts';
import { plotSamples } from './soak/soak-plot.ts';
import { growthOf, SERIES, SERIES_NAMES, takeSample, type Sample } from './soak/soak-samples.ts';

const SAMPLES = 240;
const MOST_GROWTH = 1.1;

/** Old tasks are removed, as on a server that runs for years: the files then stop growing. */
const CONFIG = {
  push: { allowPrivate: ['127.0.0.0/8'] },
  retention: { maxEndedTasks: 2_000 },
  logLevel: 'error',
};

/** Whether a server in use all day uses more and more: memory, handles, disk. */
export async function soak({ seconds, dataFolder, plotFile, progress }: BenchOptions): Promise<BenchResult> {
  const folder = await mkdtemp(join(dataFolder, 'soak-'));
  const config = join(folder, 'bench.config.json');
  await writeFile(config, JSON.stringify(CONFIG));
  const peer: Peer = {
    name: 'holdword',
    title: 'holdword serve under mixed load',
    arguments: () => {
      const ports = ['--port', '0', '--grpc-port', '0'];
      return [...holdwordCommand(), 'serve', ...ports, '--data', folder, '--config', config];
    },
  };
  await using running = await startPeer(peer, dataFolder);
  const load = await startMixedLoad(await targetOf(running.url));
  const startedAt = performance.now();
  const samples: Sample[] = [];
  for (let index = 1; index <= SAMPLES; index += 1) {
    await pause(Math.max(0, startedAt + (index * seconds * 1_000) / SAMPLES - performance.now()));
    const sample = await takeSample(running.processId, folder, startedAt);
    samples.push(sample);
    if (index % (SAMPLES / 12) === 0) progress(`${describe(sample)}, ${load.count()} uses`);
  }
  const { uses, notifications, problems } = await load.stop();
  const total = Object.values(uses).reduce((sum, count) => sum + count, 0);
  const title = `holdword serve, ${formatNumber(seconds / 60)} minutes of mixed load, ${total} uses`;
  if (plotFile !== undefined) await writeFile(plotFile, plotSamples(samples, title));
  const targets = [
    ...SERIES_NAMES.map((series) =>
      atMost(`growth after the warm-up: ${SERIES[series]}`, MOST_GROWTH, growthOf(samples, series)),
    ),
    atMost('uses that went wrong', 0, problems.length),
  ];
  const rows = [...Object.entries(uses), ['notifications received', notifications] as const].map(
    ([name, count]) => [name, formatNumber(count)],
  );
  return {
    report: { bench: 'soak', peers: { holdword: { ...uses, notifications } }, ratios: {}, targets },
    tables: [formatTable(['use', 'times'], rows), ...problems],
  };
}

function describe({ minutes, megabytes, openFiles, storedMegabytes }: Sample): string {
  const figures = [
    `${formatNumber(megabytes)} MB`,
    `${openFiles} open files`,
    `${formatNumber(storedMegabytes)} MB stored`,
  ];
  return `after ${formatNumber(minutes)} minutes: ${figures.join(', ')}`;
}
