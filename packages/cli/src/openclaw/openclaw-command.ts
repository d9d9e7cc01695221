import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text as readAll } from 'node:stream/consumers';
import { asObject, hasErrorCode } from '@holdword/protocol/internal';
import type { CommandInput, OptionDescription } from '../command-line/command.ts';
import { CommandError } from '../usage-error.ts';

/** Names the command of OpenClaw. */
export const OPENCLAW_OPTION = {
  value: 'PATH',
  description: 'The command that runs OpenClaw',
  default: 'openclaw',
} as const satisfies OptionDescription;

type Input = Pick<CommandInput, 'options' | 'environment' | 'workingFolder'>;

/** Where OpenClaw keeps its configuration, by its own word. */
export async function findConfigFile(input: Input): Promise<string> {
  const child = spawnOpenClaw(input, ['config', 'file', '--json'], 'pipe');
  const [output] = await Promise.all([child.stdout === null ? '' : readAll(child.stdout), ended(child)]);
  try {
    const { path } = asObject(JSON.parse(output));
    if (typeof path === 'string' && path !== '') return path;
  } catch {
    // Reported below.
  }
  throw new CommandError(
    'OpenClaw did not say where its configuration is. Run "openclaw config file" to see why. OpenClaw 2026.9.6 or newer is required.',
  );
}

/** Runs a command of OpenClaw on the terminal. Resolves with its exit code. */
export async function runOpenClaw(input: Input, words: readonly string[]): Promise<number> {
  return ended(spawnOpenClaw(input, words, 'inherit'));
}

/** Runs a command of OpenClaw whose output only matters if it fails. @throws CommandError with what it said */
export async function applyOpenClaw(input: Input, words: readonly string[]): Promise<void> {
  const child = spawnOpenClaw(input, words, 'pipe');
  const [output, code] = await Promise.all([
    child.stdout === null ? '' : readAll(child.stdout),
    ended(child),
  ]);
  if (code !== 0) throw new CommandError(`openclaw ${words.join(' ')} failed: ${output.trim().slice(-500)}`);
}

type Child = ReturnType<typeof spawn>;

function spawnOpenClaw(
  { options, environment, workingFolder }: Input,
  words: readonly string[],
  output: 'inherit' | 'pipe',
): Child {
  return spawn(options['openclaw'] ?? OPENCLAW_OPTION.default, words, {
    cwd: workingFolder,
    env: { ...environment },
    stdio: ['inherit', output, 'inherit'],
  });
}

async function ended(child: Child): Promise<number> {
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return code ?? 1;
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT', 'EACCES')) throw error;
    throw new CommandError(
      `${child.spawnfile} cannot be run. Install OpenClaw, or name its command: --openclaw PATH`,
    );
  }
}
