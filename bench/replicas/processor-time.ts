import { readdir, readFile } from 'node:fs/promises';

/** Linux counts in hundredths of a second, whatever the processor does. */
const MILLISECONDS_OF_A_TICK = 10;

/** Milliseconds that a process has spent on processors; NaN where the system does not tell. */
export async function processorTime(processId: number): Promise<number> {
  return (await readProcess(processId))?.milliseconds ?? Number.NaN;
}

/** The same for all children of a process together, also for those that have ended. */
export async function processorTimeOfChildren(parentId: number): Promise<number> {
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
  /** Of children that have ended. */
  readonly millisecondsOfEnded: number;
}

async function readProcess(id: number): Promise<Process | undefined> {
  // Absent on other systems, and for a process that has just ended.
  const line = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => undefined);
  if (line === undefined) return undefined;
  // The name in parentheses may hold anything; the state, the parent and the figures come after it.
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
