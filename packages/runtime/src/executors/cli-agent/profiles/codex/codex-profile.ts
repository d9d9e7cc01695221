import type { CliProfile, CliTurn } from '../../profile.ts';
import { codingAgentCard } from '../coding-agent-card.ts';
import { optionArgument } from '../option-argument.ts';
import { codexReader } from './codex-reader.ts';

/** Options of Codex. */
export interface CodexOptions {
  /**
   * Path of the program.
   *
   * @default 'codex', looked up in PATH
   */
  program?: string;
  /** @default chosen by the program */
  model?: string;
  /**
   * Value for its `--sandbox`: what its commands may access.
   *
   * @default chosen by the program
   */
  sandbox?: string;
  /** Additional arguments, passed on unchanged. */
  arguments?: readonly string[];
}

/**
 * Profile of Codex in headless mode, which prints one JSON line per event and keeps conversations in its own threads.
 *
 * @example
 * ```ts
 * const profile = codexProfile({ sandbox: 'read-only' });
 * ```
 */
export function codexProfile(options: CodexOptions = {}): CliProfile {
  return {
    name: 'codex',
    card: codingAgentCard('Codex'),
    environmentNames: ['OPENAI_*', 'CODEX_*', 'AZURE_OPENAI_*'],
    command: (turn) => ({
      file: options.program ?? 'codex',
      arguments: argumentsFor(turn, options),
      input: turn.prompt,
    }),
    reader: codexReader,
  };
}

function argumentsFor({ sessionId }: CliTurn, { model, sandbox, ...options }: CodexOptions): string[] {
  return [
    'exec',
    '--json',
    '--skip-git-repo-check',
    ...optionArgument('model', model),
    ...optionArgument('sandbox', sandbox),
    ...(options.arguments ?? []),
    ...(sessionId === undefined ? [] : ['resume', sessionId]),
    // Reads the message from stdin.
    '-',
  ];
}
