import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../../packages/cli/src/run-cli.ts';
import { NO_TERMINAL } from '../../../packages/cli/src/testing/test-config.ts';

/** What a command printed, and how it ended. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

const MAIN = join(import.meta.dirname, '..', '..', '..', 'packages', 'cli', 'src', 'main.ts');

/** The command line, with a home and a working folder of its own. */
export interface Tool {
  readonly folder: string;
  /** Runs a command in this process, which is the same program and starts faster. */
  run(words: readonly string[], environment?: Readonly<Record<string, string>>): Promise<Ran>;
  /** Runs a command in a process, for what needs signals or stdin. */
  runProcess(words: readonly string[], options?: ProcessOptions): Promise<Ran>;
  close(): Promise<void>;
}

export interface ProcessOptions {
  readonly stdin?: string;
  /** Ctrl-C is pressed as soon as stderr matches. */
  readonly interruptAfter?: RegExp;
}

export async function openTool(): Promise<Tool> {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-compliance-'));
  return {
    folder,
    async run(words, environment = {}) {
      let out = '';
      let errors = '';
      const terminal = {
        ...NO_TERMINAL,
        out: (text: string) => void (out += text),
        announce: (text: string) => void (out += text),
        error: (text: string) => void (errors += text),
      };
      const code = await runCli(words, {
        environment: { HOME: folder, ...environment },
        workingFolder: folder,
        terminal,
      });
      return { code, out, errors };
    },
    runProcess: (words, { stdin = '', interruptAfter } = {}) =>
      new Promise((resolve, reject) => {
        const env = { PATH: process.env['PATH'], HOME: folder, NODE_NO_WARNINGS: '1' };
        const child = spawn(process.execPath, [MAIN, ...words], { cwd: folder, env });
        let out = '';
        let errors = '';
        let isInterrupted = false;
        child.stdout.setEncoding('utf8').on('data', (text: string) => void (out += text));
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          errors += text;
          if (interruptAfter?.test(errors) !== true || isInterrupted) return;
          isInterrupted = true;
          child.kill('SIGINT');
        });
        child.on('error', reject);
        child.on('close', (code) => resolve({ code, out, errors }));
        child.stdin.end(stdin);
      }),
    close: () => rm(folder, { recursive: true }),
  };
}

/** A value inside JSON, by names separated by dots. */
export function at(json: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name], json);
}

export function parsed({ out, errors }: Ran): unknown {
  try {
    return JSON.parse(out);
  } catch {
    throw new Error(`expected one JSON document, found: ${out.slice(0, 300)} ${errors.slice(0, 300)}`);
  }
}

export function lines({ out }: Ran): unknown[] {
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}
