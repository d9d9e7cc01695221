import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cpuTime, cpuTimeOfChildren } from './cpu-time.ts';

describe.skipIf(!existsSync('/proc/self/stat'))('CPU time', () => {
  it('matches what a process reports, and excludes its children', async () => {
    const busy =
      'const end = Date.now() + 300; while (Date.now() < end); process.stdout.write("done"); process.stdin.resume();';
    const child = spawn(process.execPath, ['-e', busy], { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    const own = process.cpuUsage();
    const spent = (own.user + own.system) / 1000;
    expect(Math.abs((await cpuTime(process.pid)) - spent)).toBeLessThan(500);
    const ofChild = await cpuTime(child.pid ?? 0);
    expect(ofChild).toBeGreaterThan(0);
    expect(await cpuTimeOfChildren(process.pid)).toBeGreaterThanOrEqual(ofChild);
    child.stdin.end();
    await ended;
    expect(await cpuTimeOfChildren(process.pid)).toBeGreaterThanOrEqual(ofChild);
  });

  it('is unknown for a process that does not exist', async () => {
    expect(await cpuTime(2 ** 30)).toBeNaN();
  });
});
