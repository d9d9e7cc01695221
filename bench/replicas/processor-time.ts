import { readdir, readFile } from 'node:fs/promises';

/** Linux counts in hundredths of a second, whatever the processor does. */
const MILLISECONDS_OF_A_TICK = 10;

/** Milliseconds that a process has spent on processors; NaN where the system does not tell. */
export async function processorTime(processId: number): Promise<number> {
  return (await readProcess(processId))?.milliseconds ?? Number.NaN;
}

/** The same for all children of a process together. */
export async function processorTimeOfChildren(parentId: number): Promise<number> {
  const names = await readdir('/proc').catch(() => undefined);
  if (names === undefined) return Number.NaN;
  const ids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const processes = await Promise.all(ids.map(readProcess));
  return processes
    .filter((process) => process?.parentId === parentId)
    .reduce((sum, process) => sum + (process?.milliseconds ?? 0), 0);
}

async function readProcess(
  processId: number,
): Promise<{ parentId: number; milliseconds: number } | undefined> {
  // Absent on other systems, and for a process that has just ended.
  const line = await readFile(`/proc/${processId}/stat`, 'utf8').catch(() => undefined);
  if (line === undefined) return undefined;
  // The name in parentheses may hold anything; the state and the parent come after it.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [parentId, userTicks, systemTicks] = [fields[1], fields[11], fields[12]].map(Number);
  return {
    parentId: parentId ?? 0,
    milliseconds: ((userTicks ?? 0) + (systemTicks ?? 0)) * MILLISECONDS_OF_A_TICK,
  };
}
