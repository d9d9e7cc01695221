import { dirname } from 'node:path';
import type { JsonObject } from '@holdword/protocol';
import { objectAt, textAt, valueAt } from '../../json-value.ts';
import { AnswerText, failedProcess, JsonLines } from '../output-readers.ts';
import type { CliEnd, CliOutcome, CliOutput, CliProfile, CliReader, CliTurn } from '../profile.ts';
import { codingAgentCard, optionArgument } from './coding-agent.ts';

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

const SESSION_GONE = /invalid session identifier|error resuming session/i;

/** Reads the events that Gemini CLI prints with `--output-format=stream-json`. */
function geminiReader(turn: CliTurn): CliReader {
  const lines = new JsonLines();
  const answer = new AnswerText();
  let model: string | undefined;
  let complaint: string | undefined;
  let result: unknown;

  function understand(event: unknown): CliOutput[] {
    switch (textAt(event, 'type') ?? '') {
      case 'init': {
        model = textAt(event, 'model');
        const sessionId = textAt(event, 'session_id');
        return sessionId === undefined ? [] : [{ kind: 'session', sessionId }];
      }
      case 'message':
        return textAt(event, 'role') === 'assistant' ? readMessage(event) : [];
      case 'tool_use':
        answer.endMessage();
        return [{ kind: 'status', text: `Using tool ${textAt(event, 'tool_name') ?? 'without a name'}.` }];
      case 'error':
        if (textAt(event, 'severity') !== 'warning') complaint = textAt(event, 'message');
        return [];
      case 'result':
        result = event;
        return [];
      default:
        return [];
    }
  }

  function readMessage(event: unknown): CliOutput[] {
    const isWhole = valueAt(event, 'delta') !== true;
    const said = answer.add(textAt(event, 'content') ?? '');
    if (isWhole) answer.endMessage();
    return said;
  }

  return {
    read: (text) => lines.add(text).flatMap(understand),
    finish: (end): CliOutcome => {
      lines.end().forEach(understand);
      if (turn.sessionId !== undefined && end.exitCode !== 0 && SESSION_GONE.test(end.errorOutput)) {
        return { state: 'session-lost' };
      }
      const metadata = metadataOf(result, model);
      const failed = end.exitCode !== 0 || textAt(result, 'status') === 'error';
      if (failed) return failureOf(textAt(result, 'error', 'message') ?? complaint, metadata, end);
      if (result === undefined) return { ...failedProcess('gemini', end), metadata };
      return {
        state: 'completed',
        ...(answer.whole !== '' && { parts: [{ text: answer.whole }] }),
        metadata,
      };
    },
  };
}

function failureOf(reason: string | undefined, metadata: JsonObject, end: CliEnd): CliOutcome {
  if (reason === undefined) return failedProcess('gemini', end);
  return { state: 'failed', text: `The agent gemini failed: ${end.toPublic(reason)}`, metadata };
}

function metadataOf(result: unknown, model: string | undefined): JsonObject {
  const usage = objectAt(result, 'stats');
  return { ...(model !== undefined && { model }), ...(usage && { usage }) };
}
