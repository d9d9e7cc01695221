import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { promisify } from 'node:util';
import { marksIn } from './process-mark.ts';

/** A process in a listing. */
export interface ProcessEntry {
  readonly pid: number;
  readonly group: number;
  /** Distinguishes it from a later process with the same pid. Only comparable within one boot. */
  readonly startTime: string;
  /** Empty if the environment is not readable: for processes of other users, and always outside Linux. */
  readonly marks: readonly string[];
}

const PS_COLUMNS = ['-ax', '-o', 'pid=', '-o', 'pgid=', '-o', 'stat=', '-o', 'lstart='];
const SLICE = 32;
const run = promisify(execFile);

/** All running processes, without zombies. */
export function listProcesses(): Promise<ProcessEntry[]> {
  return process.platform === 'linux' ? listFromProc() : listFromPs();
}

/** These files are in memory: reading them synchronously takes a quarter of the time. Slices keep the event loop responsive. */
async function listFromProc(): Promise<ProcessEntry[]> {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const entries: ProcessEntry[] = [];
  for (let start = 0; start < numbers.length; start += SLICE) {
    const slice = numbers.slice(start, start + SLICE).map(readProcEntry);
    entries.push(...slice.filter((entry) => entry !== undefined));
    await yieldToEventLoop();
  }
  return entries;
}

/** Undefined if the process has ended in the meantime. */
function readProcEntry(number: string): ProcessEntry | undefined {
  const status = parseProcStatus(readProcFile(number, 'stat'));
  if (status === undefined) return undefined;
  return { pid: Number(number), ...status, marks: marksIn(readProcFile(number, 'environ')) };
}

/** Empty if it is not readable. */
function readProcFile(number: string, name: 'stat' | 'environ'): string {
  try {
    return readFileSync(`/proc/${number}/${name}`, 'latin1');
  } catch {
    return '';
  }
}

/** Undefined for a zombie. */
export function parseProcStatus(text: string): Pick<ProcessEntry, 'group' | 'startTime'> | undefined {
  // The second field is the name in parentheses, which may contain spaces and parentheses.
  const [state, , group, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const startTime = rest[16];
  if (startTime === undefined || state === 'Z' || state === 'X') return undefined;
  return { group: Number(group), startTime };
}

/** Portable, but without marks. */
export async function listFromPs(): Promise<ProcessEntry[]> {
  const { stdout } = await run('ps', PS_COLUMNS, { env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' } });
  return stdout.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+([^Z\s]\S*)\s+(.+?)\s*$/.exec(line);
    if (match === null) return [];
    const [, pid, group, , startTime = ''] = match;
    return [{ pid: Number(pid), group: Number(group), startTime, marks: [] }];
  });
}
