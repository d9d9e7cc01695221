import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { processorTime, processorTimeOfChildren } from './processor-time.ts';

describe.skipIf(!existsSync('/proc/self/stat'))('processor time', () => {
  it('is what a process says of itself, and its children are told apart from it', async () => {
    const busy =
      'const end = Date.now() + 300; while (Date.now() < end); process.stdout.write("done"); process.stdin.resume();';
    const child = spawn(process.execPath, ['-e', busy], { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    const own = process.cpuUsage();
    const spent = (own.user + own.system) / 1000;
    expect(Math.abs((await processorTime(process.pid)) - spent)).toBeLessThan(500);
    const ofChild = await processorTime(child.pid ?? 0);
    expect(ofChild).toBeGreaterThan(0);
    expect(await processorTimeOfChildren(process.pid)).toBeGreaterThanOrEqual(ofChild);
    child.stdin.end();
    await ended;
    expect(await processorTimeOfChildren(process.pid)).toBeGreaterThanOrEqual(ofChild);
  });

  it('is unknown for a process that does not exist', async () => {
    expect(await processorTime(2 ** 30)).toBeNaN();
  });
});
