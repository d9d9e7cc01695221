import { dirname } from 'node:path';
import type { CliProfile, CliTurn } from '../../profile.ts';
import { codingAgentCard } from '../coding-agent-card.ts';
import { optionArgument } from '../option-argument.ts';
import { claudeCodeReader } from './claude-code-reader.ts';

export interface ClaudeCodeOptions {
  /** Where the program is found; `claude` in the PATH by default. */
  program?: string;
  model?: string;
  /** What it may do without asking, as its `--permission-mode` says; its own default where absent. */
  permissionMode?: string;
  /** Further arguments, as they are. */
  arguments?: readonly string[];
}

/** Claude Code in its headless mode, one JSON line per event. It keeps its conversations in sessions of its own. */
export function claudeCodeProfile(options: ClaudeCodeOptions = {}): CliProfile {
  return {
    name: 'claude-code',
    card: codingAgentCard('Claude Code'),
    environmentNames: ['ANTHROPIC_*', 'CLAUDE_*'],
    command: (turn) => ({
      file: options.program ?? 'claude',
      arguments: argumentsFor(turn, options),
      input: turn.prompt,
    }),
    reader: claudeCodeReader,
  };
}

function argumentsFor({ sessionId, files }: CliTurn, options: ClaudeCodeOptions): string[] {
  const { model, permissionMode } = options;
  const [file] = files;
  return [
    '--print',
    '--output-format=stream-json',
    '--verbose',
    '--include-partial-messages',
    ...optionArgument('model', model),
    ...optionArgument('permission-mode', permissionMode),
    ...optionArgument('add-dir', file && dirname(file.path)),
    ...optionArgument('resume', sessionId),
    ...(options.arguments ?? []),
  ];
}
