import { dirname } from 'node:path';
import type { CliProfile, CliTurn } from '../../profile.ts';
import { codingAgentCard } from '../coding-agent-card.ts';
import { optionArgument } from '../option-argument.ts';
import { claudeCodeReader } from './claude-code-reader.ts';

/** Options of Claude Code. */
export interface ClaudeCodeOptions {
  /**
   * Path of the program.
   *
   * @default 'claude', looked up in PATH
   */
  program?: string;
  /** @default chosen by the program */
  model?: string;
  /**
   * Value for its `--permission-mode`: what it may do without asking.
   *
   * @default chosen by the program
   */
  permissionMode?: string;
  /** Additional arguments, passed on unchanged. */
  arguments?: readonly string[];
}

/**
 * Profile of Claude Code in headless mode, which prints one JSON line per event and keeps conversations in its own sessions.
 *
 * @example
 * ```ts
 * const profile = claudeCodeProfile({ permissionMode: 'acceptEdits' });
 * ```
 */
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
