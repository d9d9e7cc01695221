import { dirname } from 'node:path';
import type { CliProfile, CliTurn } from '../../profile.ts';
import { codingAgentCard } from '../coding-agent-card.ts';
import { optionArgument } from '../option-argument.ts';
import { geminiReader } from './gemini-reader.ts';

export interface GeminiOptions {
  /** Where the program is found; `gemini` in the PATH by default. */
  program?: string;
  model?: string;
  /** What it may do without asking, as its `--approval-mode` says; its own default where absent. */
  approvalMode?: string;
  /** Further arguments, as they are. */
  arguments?: readonly string[];
}

/** Gemini CLI in its headless mode, one JSON line per event. It keeps its conversations in sessions of its own. */
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
