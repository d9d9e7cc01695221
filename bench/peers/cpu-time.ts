import { readdir, readFile } from 'node:fs/promises';

/** Linux counts in hundredths of a second on every CPU. */
const MILLISECONDS_OF_A_TICK = 10;

/** The CPU time of a process in milliseconds; NaN if the system does not provide it. */
export async function cpuTime(processId: number): Promise<number> {
  return (await readProcess(processId))?.milliseconds ?? Number.NaN;
}

/** The CPU time of all children of a process, including those that have ended. */
export async function cpuTimeOfChildren(parentId: number): Promise<number> {
  const names = await readdir('/proc').catch((): string[] => []);
  const ids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const processes = (await Promise.all(ids.map(readProcess))).filter((process) => process !== undefined);
  const ended = processes.find(({ id }) => id === parentId)?.millisecondsOfEnded ?? Number.NaN;
  return processes
    .filter((process) => process.parentId === parentId)
    .reduce((sum, { milliseconds }) => sum + milliseconds, ended);
}

interface Process {
  readonly id: number;
  readonly parentId: number;
  readonly milliseconds: number;
  /** The CPU time of ended children. */
  readonly millisecondsOfEnded: number;
}

async function readProcess(id: number): Promise<Process | undefined> {
  // Missing on other systems, and for a process that has just ended.
  const line = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => undefined);
  if (line === undefined) return undefined;
  // The name in parentheses may contain anything; the state, the parent and the times come after it.
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const ticks = (first: number): number => (fields[first] ?? 0) + (fields[first + 1] ?? 0);
  return {
    id,
    parentId: fields[1] ?? 0,
    milliseconds: ticks(11) * MILLISECONDS_OF_A_TICK,
    millisecondsOfEnded: ticks(13) * MILLISECONDS_OF_A_TICK,
  };
}
