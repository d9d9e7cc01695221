import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HoldwordProcess, HoldwordProcessOptions } from '@holdword/cli/testing';
import type { Task } from '@holdword/protocol';
import { onTestFinished } from 'vitest';
import { spawnHoldword } from '../../support/spawn-holdword.ts';

/** A server of the demo agent whose faults are watched from outside. */
export interface FaultyServer {
  readonly process: HoldwordProcess;
  send(text: string, taskId?: string): Promise<Answer>;
  getTask(taskId: string): Promise<Task>;
  /** The failed checks of /readyz, by name. */
  problems(): Promise<Record<string, string>>;
  /** How often a text is in the log. */
  logged(text: string): number;
  kill(): Promise<void>;
}

export interface Answer {
  status: number;
  milliseconds: number;
  task?: Task;
  message: string;
}

/** A working folder with a data folder in it, removed after the test. */
export async function makeFolder(): Promise<{ cwd: string; data: string }> {
  const cwd = await mkdtemp(join(tmpdir(), 'holdword-faults-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  await writeFile(join(cwd, 'holdword.config.json'), JSON.stringify({ minimumFreeBytes: 1 }));
  return { cwd, data: join(cwd, 'data') };
}

export async function startServer(
  words: readonly string[],
  options: HoldwordProcessOptions,
): Promise<FaultyServer> {
  const served = await spawnHoldword(['--grpc-port', 'off', '--port', '0', ...words], options);
  const { process, target } = served;
  onTestFinished(() => served.kill());
  const headers = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' };
  return {
    process,
    kill: () => served.kill(),
    async send(text, taskId) {
      const startedAt = performance.now();
      const message = { role: 'ROLE_USER', messageId: crypto.randomUUID(), parts: [{ text }], taskId };
      const body = JSON.stringify({ message });
      const response = await fetch(`${target.restUrl}/message:send`, { method: 'POST', headers, body });
      const answer = JSON.parse(await response.text()) as { task?: Task; error?: { message: string } };
      const milliseconds = performance.now() - startedAt;
      const told = { status: response.status, milliseconds, message: answer.error?.message ?? '' };
      return answer.task === undefined ? told : { ...told, task: answer.task };
    },
    async getTask(taskId) {
      const response = await fetch(`${target.restUrl}/tasks/${taskId}`, { headers });
      return JSON.parse(await response.text()) as Task;
    },
    async problems() {
      const response = await fetch(`${target.baseUrl}/readyz`);
      const { checks } = JSON.parse(await response.text()) as {
        checks: Record<string, { ok: boolean; detail?: string }>;
      };
      const failed = Object.entries(checks).filter(([, { ok }]) => !ok);
      return Object.fromEntries(failed.map(([name, { detail = '' }]) => [name, detail]));
    },
    logged: (text) => process.output().split(text).length - 1,
  };
}
