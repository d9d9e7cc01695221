import type { JsonObject } from '@holdword/protocol';
import { objectAt, textAt, valueAt } from '../../json-value.ts';
import { AnswerText, failedProcess, JsonLines } from '../output-readers.ts';
import type { CliOutcome, CliOutput, CliProfile, CliReader, CliTurn } from '../profile.ts';
import { codingAgentCard, optionArgument } from './coding-agent.ts';

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

const THREAD_GONE = /no rollout found|thread not loaded|thread \S+ not found|no saved session/i;

/** What the agent is doing, by the type of the started item. */
const ACTIVITIES: Readonly<Record<string, string>> = {
  command_execution: 'Running a command.',
  file_change: 'Changing files.',
  web_search: 'Searching the web.',
  todo_list: 'Planning.',
};

/** Reads the events that Codex prints with `codex exec --json`. */
function codexReader(turn: CliTurn): CliReader {
  const lines = new JsonLines();
  const answer = new AnswerText();
  let lastMessage = '';
  let begun = false;
  let usage: JsonObject | undefined;
  let failure: string | undefined;

  function understand(event: unknown): CliOutput[] {
    switch (textAt(event, 'type') ?? '') {
      case 'thread.started': {
        const sessionId = textAt(event, 'thread_id');
        return sessionId === undefined ? [] : [{ kind: 'session', sessionId }];
      }
      case 'turn.started':
        begun = true;
        return [];
      case 'item.started':
        return activityOf(valueAt(event, 'item'));
      case 'item.completed':
        return messageOf(valueAt(event, 'item'));
      case 'turn.completed':
        usage = objectAt(event, 'usage');
        // A successful retry cancels the failure reported before.
        failure = undefined;
        return [];
      case 'turn.failed':
        failure = textAt(event, 'error', 'message') ?? 'no reason given';
        return [];
      case 'error':
        failure = textAt(event, 'message') ?? failure;
        return [];
      default:
        return [];
    }
  }

  function messageOf(item: unknown): CliOutput[] {
    if (textAt(item, 'type') !== 'agent_message') return [];
    lastMessage = textAt(item, 'text') ?? '';
    const said = answer.add(lastMessage);
    answer.endMessage();
    return said;
  }

  return {
    read: (text) => lines.add(text).flatMap(understand),
    finish: (end): CliOutcome => {
      lines.end().forEach(understand);
      const metadata = usage && { metadata: { usage } };
      const failed = failure !== undefined || end.exitCode !== 0;
      if (failed && !begun && turn.sessionId !== undefined) {
        if (THREAD_GONE.test(`${failure ?? ''}\n${end.errorOutput}`)) return { state: 'session-lost' };
      }
      if (failure !== undefined) {
        return { state: 'failed', text: `The agent codex failed: ${end.toPublic(failure)}`, ...metadata };
      }
      if (end.exitCode !== 0) return failedProcess('codex', end);
      return {
        state: 'completed',
        ...(lastMessage !== '' && { parts: [{ text: lastMessage }] }),
        ...metadata,
      };
    },
  };
}

function activityOf(item: unknown): CliOutput[] {
  const type = textAt(item, 'type') ?? '';
  const tool = textAt(item, 'tool');
  if (type === 'mcp_tool_call' && tool !== undefined) {
    return [{ kind: 'status', text: `Using tool ${tool}.` }];
  }
  const text = ACTIVITIES[type];
  return text === undefined ? [] : [{ kind: 'status', text }];
}
