import { dirname } from 'node:path';
import type { JsonObject } from '@holdword/protocol';
import { listAt, numberAt, objectAt, textAt, valueAt } from '../../json-value.ts';
import { AnswerText, failedProcess, JsonLines } from '../output-readers.ts';
import type { CliEnd, CliOutcome, CliOutput, CliProfile, CliReader, CliTurn } from '../profile.ts';
import { codingAgentCard, optionArgument } from './coding-agent.ts';

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

const SESSION_GONE = /no conversation found|requires a valid session id/i;

/** Reads the events that Claude Code prints with `--output-format=stream-json --include-partial-messages`. */
function claudeCodeReader(turn: CliTurn): CliReader {
  const lines = new JsonLines();
  const answer = new AnswerText();
  let sessionId: string | undefined;
  let model: string | undefined;
  let streamsParts = false;
  let result: unknown;

  function understand(event: unknown): CliOutput[] {
    // Output of subagents is not part of the answer.
    if (typeof valueAt(event, 'parent_tool_use_id') === 'string') return [];
    switch (textAt(event, 'type') ?? '') {
      case 'system':
        // Hooks report before the conversation starts.
        if (textAt(event, 'subtype') !== 'init') return [];
        model = textAt(event, 'model');
        return learnSession(event);
      case 'stream_event':
        return readPart(valueAt(event, 'event'));
      case 'assistant':
        return readMessage(event);
      case 'result':
        result = event;
        return isFailure(event) ? [] : learnSession(event);
      default:
        return [];
    }
  }

  function learnSession(event: unknown): CliOutput[] {
    const found = textAt(event, 'session_id');
    if (found === undefined || found === sessionId) return [];
    sessionId = found;
    return [{ kind: 'session', sessionId }];
  }

  function readPart(part: unknown): CliOutput[] {
    streamsParts = true;
    if (textAt(part, 'type') === 'content_block_stop') answer.endMessage();
    if (textAt(part, 'delta', 'type') !== 'text_delta') return [];
    return answer.add(textAt(part, 'delta', 'text') ?? '');
  }

  /** A whole message. Its text has already been read if it was streamed. */
  function readMessage(event: unknown): CliOutput[] {
    return listAt(event, 'message', 'content').flatMap((block) => {
      if (textAt(block, 'type') === 'tool_use') {
        return [{ kind: 'status', text: `Using tool ${textAt(block, 'name') ?? 'without a name'}.` }];
      }
      if (textAt(block, 'type') !== 'text' || streamsParts) return [];
      const said = answer.add(textAt(block, 'text') ?? '');
      answer.endMessage();
      return said;
    });
  }

  return {
    read: (text) => lines.add(text).flatMap(understand),
    finish: (end) => {
      lines.end().forEach(understand);
      const complaints = [...listAt(result, 'errors'), end.errorOutput].join('\n');
      if (turn.sessionId !== undefined && SESSION_GONE.test(complaints)) return { state: 'session-lost' };
      if (result === undefined) return failedProcess('claude-code', end);
      return outcomeOf(result, answer.whole, model, end);
    },
  };
}

/** Either field can report a failure. */
function isFailure(result: unknown): boolean {
  return valueAt(result, 'is_error') === true || (textAt(result, 'subtype')?.startsWith('error') ?? false);
}

function outcomeOf(result: unknown, said: string, model: string | undefined, end: CliEnd): CliOutcome {
  const metadata = metadataOf(result, model);
  const text = textAt(result, 'result') ?? said;
  if (isFailure(result)) {
    const reasons = [text, ...listAt(result, 'errors')].filter((reason) => reason !== '');
    const reason = end.toPublic(reasons.join('\n')) || textAt(result, 'subtype') || 'no reason given';
    return { state: 'failed', text: `The agent claude-code failed: ${reason}`, metadata };
  }
  return { state: 'completed', ...(text !== '' && { parts: [{ text }] }), metadata };
}

function metadataOf(result: unknown, model: string | undefined): JsonObject {
  const usage = objectAt(result, 'usage');
  const costUsd = numberAt(result, 'total_cost_usd');
  const steps = numberAt(result, 'num_turns');
  return {
    ...(model !== undefined && { model }),
    ...(usage && { usage }),
    ...(costUsd !== undefined && { costUsd }),
    ...(steps !== undefined && { steps }),
  };
}
