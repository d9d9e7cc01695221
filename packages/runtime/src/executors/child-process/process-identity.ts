import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseProcStatus } from './process-list.ts';

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
