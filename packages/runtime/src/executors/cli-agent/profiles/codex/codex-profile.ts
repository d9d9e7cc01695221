import type { CliProfile, CliTurn } from '../../profile.ts';
import { codingAgentCard } from '../coding-agent-card.ts';
import { optionArgument } from '../option-argument.ts';
import { codexReader } from './codex-reader.ts';

export interface CodexOptions {
  /** Where the program is found; `codex` in the PATH by default. */
  program?: string;
  model?: string;
  /** What its commands may touch, as its `--sandbox` says; its own default where absent. */
  sandbox?: string;
  /** Further arguments, as they are. */
  arguments?: readonly string[];
}

/** Codex in its headless mode, one JSON line per event. It keeps its conversations in threads of its own. */
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
    // The message is on the standard input.
    '-',
  ];
}
