import type { JsonObject } from '@holdword/protocol';
import { objectAt, textAt, valueAt } from '../../../json-value.ts';
import type { CliEnd, CliOutcome, CliOutput, CliReader, CliTurn } from '../../profile.ts';
import { AnswerText } from '../../readers/answer-text.ts';
import { failedProcess } from '../../readers/failed-process.ts';
import { JsonLines } from '../../readers/json-lines.ts';

const SESSION_GONE = /invalid session identifier|error resuming session/i;

/** Reads the events that Gemini CLI prints with `--output-format=stream-json`. */
export function geminiReader(turn: CliTurn): CliReader {
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
