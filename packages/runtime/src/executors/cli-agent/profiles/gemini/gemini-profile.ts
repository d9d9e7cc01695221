import { dirname } from 'node:path';
import type { CliProfile, CliTurn } from '../../profile.ts';
import { codingAgentCard } from '../coding-agent-card.ts';
import { optionArgument } from '../option-argument.ts';
import { geminiReader } from './gemini-reader.ts';

/** Options of Gemini CLI. */
export interface GeminiOptions {
  /**
   * Path of the program.
   *
   * @default 'gemini', looked up in PATH
   */
  program?: string;
  /** @default chosen by the program */
  model?: string;
  /**
   * Value for its `--approval-mode`: what it may do without asking.
   *
   * @default chosen by the program
   */
  approvalMode?: string;
  /** Additional arguments, passed on unchanged. */
  arguments?: readonly string[];
}

/**
 * Profile of Gemini CLI in headless mode, which prints one JSON line per event and keeps conversations in its own sessions.
 *
 * @example
 * ```ts
 * const profile = geminiProfile({ approvalMode: 'auto_edit' });
 * ```
 */
export function geminiProfile(options: GeminiOptions = {}): CliProfile {
  return {
    name: 'gemini',
    card: codingAgentCard('Gemini CLI'),
    environmentNames: ['GEMINI_*', 'GOOGLE_*'],
    command: (turn) => ({
      file: options.program ?? 'gemini',
      arguments: argumentsFor(turn, options),
      input: turn.prompt,
    }),
    reader: geminiReader,
  };
}

function argumentsFor({ sessionId, files }: CliTurn, options: GeminiOptions): string[] {
  const { model, approvalMode } = options;
  const [file] = files;
  return [
    '--output-format=stream-json',
    ...optionArgument('model', model),
    ...optionArgument('approval-mode', approvalMode),
    ...optionArgument('include-directories', file && dirname(file.path)),
    ...optionArgument('resume', sessionId),
    ...(options.arguments ?? []),
  ];
}
