import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { promisify } from 'node:util';

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

/** Identifies a process until the system reboots: pids are reused. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
}

/** Undefined if there is no such process. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const startTime = process.platform === 'linux' ? startTimeFromProc(pid) : startTimeFromPs(pid);
  return startTime === undefined ? undefined : { pid, startTime };
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identityOf(identity.pid)?.startTime === identity.startTime;
}

/** Identifies the current boot; pids and start times are not comparable across boots. */
export function bootId(): string {
  if (process.platform === 'linux') return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return execFileSync('sysctl', ['-n', 'kern.boottime'], { encoding: 'utf8' }).trim();
}

function startTimeFromProc(pid: number): string | undefined {
  try {
    return parseProcStatus(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.startTime;
  } catch {
    return undefined;
  }
}

/** In the format of `listFromPs`, so that both can be compared. */
export function startTimeFromPs(pid: number): string | undefined {
  try {
    const environment = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' };
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: environment,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return text.trim() || undefined;
  } catch {
    return undefined;
  }
}

const MARK_VARIABLE = 'HOLDWORD_PROCESS';

/** A unique mark for a process. */
export function newMark(): string {
  return randomBytes(16).toString('hex');
}

/**
 * The environment variable that marks a process and, by inheritance, everything it starts. A server that runs inside a
 * marked process passes on the marks it carries, so that ending that process ends these as well.
 */
export function markVariable(mark: string): Record<string, string> {
  const inherited = process.env[MARK_VARIABLE];
  return { [MARK_VARIABLE]: inherited === undefined ? mark : `${inherited},${mark}` };
}

/** The marks in an environment as Linux shows it: assignments that end with a NUL byte. */
export function marksIn(environment: string): string[] {
  const assignment = environment.split('\0').find((each) => each.startsWith(`${MARK_VARIABLE}=`));
  return assignment?.slice(MARK_VARIABLE.length + 1).split(',') ?? [];
}
