import { Deadline } from '@holdword/protocol/internal';
import type { CommandInput } from '../command-line/command.ts';
import type { Terminal } from '../command-line/terminal.ts';
import type { UsageError } from '../usage-error.ts';
import { describeFailure, type CallFailure } from './call-errors.ts';
import { findAgent, openAgent, type CalledAgent, type NamedCard } from './called-agent.ts';
import { readCallSettings, type CallSettings } from './call-settings.ts';
import { Diagnostics } from './diagnostics.ts';
import { adviseOn, type Progress } from './task-advice.ts';
import { field } from './task-text.ts';

/** What a command that calls an agent works with. */
export interface Call {
  readonly input: CommandInput;
  readonly settings: CallSettings;
  readonly diagnostics: Diagnostics;
  /** Aborts when the user presses Ctrl-C, and when the timeout expires. */
  readonly signal: AbortSignal;
  readonly isJson: boolean;
  readonly isVerbose: boolean;
  /** Events are printed as they arrive. */
  readonly isStreaming: boolean;
  /** Set by the command, for what is said if it ends early. */
  readonly progress: Progress;
  /** Finds the agent. */
  readonly find: () => Promise<NamedCard>;
  /** Finds the agent, and chooses how to call it. */
  readonly open: () => Promise<CalledAgent>;
  /** The same with other settings, as a client that knows no extensions. Whoever opens it closes it. */
  readonly openPlain: (settings: CallSettings) => Promise<CalledAgent>;
  /** Prints a result: JSON for programs, or the text. With --stream, and for one of many, JSON takes one line. */
  readonly print: (json: unknown, text: () => string, isOneLine?: boolean) => void;
}

/** As shells report a program that Ctrl-C ended. */
const INTERRUPTED = 130;
const DEFAULT_TIMEOUT_MILLISECONDS = 600_000;

/**
 * Runs a command that calls an agent, and reports its failure the way it prints results. One that is open-ended has a time limit only
 * if the user sets one. Resolves with the exit code.
 */
export async function runCall(
  input: CommandInput,
  run: (call: Call) => Promise<number | void>,
  { isOpenEnded = false }: { isOpenEnded?: boolean } = {},
): Promise<number> {
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort(new DOMException('interrupted', 'AbortError'));
  process.once('SIGINT', interrupt);
  const { terminal } = input;
  const isStreaming = input.options['stream'] === 'true';
  const progress: Progress = {};
  let isJson = input.options['output'] === 'json';
  let deadline: Deadline | undefined;
  try {
    const settings = await readCallSettings(input);
    ({ isJson } = settings);
    const diagnostics = new Diagnostics(terminal, settings);
    const isLimited = !isOpenEnded || settings.text('timeout') !== undefined;
    if (isLimited) deadline = new Deadline(settings.milliseconds('timeout', DEFAULT_TIMEOUT_MILLISECONDS));
    const signal = AbortSignal.any([
      interruption.signal,
      ...(deadline === undefined ? [] : [deadline.signal]),
    ]);
    const openWith = async (changed: CallSettings, isPlain: boolean): Promise<CalledAgent> => {
      const found = await findAgent(changed, input, diagnostics, signal);
      return openAgent(found, changed, diagnostics, input, signal, { isPlain });
    };
    const code = await run({
      input,
      settings,
      diagnostics,
      signal,
      isJson,
      isVerbose: settings.isOn('verbose'),
      isStreaming,
      progress,
      find: () => findAgent(settings, input, diagnostics, signal),
      openPlain: (changed) => openWith(changed, true),
      open: async () => {
        const agent = await openWith(settings, false);
        progress.agent = agent;
        return agent;
      },
      print: (json, text, isOneLine = isStreaming) =>
        terminal.out(isJson ? jsonText(json, isOneLine) : text()),
    });
    return code ?? 0;
  } catch (error) {
    if (interruption.signal.aborted) {
      const advice = adviseOn(progress);
      if (advice !== undefined) terminal.error(`${advice.happened} ${advice.hint}\n`);
      return INTERRUPTED;
    }
    const failure = describeFailure(error, { progress, isLate: deadline?.signal.aborted === true });
    reportFailure(terminal, failure, isJson, isStreaming);
    return failure.exitCode;
  } finally {
    process.off('SIGINT', interrupt);
    deadline?.[Symbol.dispose]();
    progress.agent?.[Symbol.dispose]();
  }
}

const DEFAULT_POLL_MILLISECONDS = 2_000;

/** How a command waits for a task, by its options. */
export function waitOptions({ settings, signal }: Pick<Call, 'settings' | 'signal'>) {
  return { pollMilliseconds: settings.milliseconds('poll-interval', DEFAULT_POLL_MILLISECONDS), signal };
}

/** What a terminal would interpret is escaped, which is the same JSON. */
export function jsonText(value: unknown, isOneLine: boolean): string {
  const text = JSON.stringify(value, null, isOneLine ? 0 : 2);
  return `${text.replaceAll(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}\n`;
}

/** Reports a wrong command line of such a command, before it runs. */
export function reportMisuse(error: UsageError, words: readonly string[], terminal: Terminal): number {
  const isJson = words.some((word, index) => word === 'json' && OUTPUT_WORDS.has(words[index - 1] ?? ''));
  const failure = describeFailure(error);
  reportFailure(terminal, failure, isJson || words.includes('--output=json'), words.includes('--stream'));
  return failure.exitCode;
}

const OUTPUT_WORDS: ReadonlySet<string> = new Set(['-o', '--output']);

export function reportFailure(
  terminal: Terminal,
  { envelope }: CallFailure,
  isJson: boolean,
  isStreaming: boolean,
): void {
  if (isJson) return terminal.out(jsonText({ error: envelope }, isStreaming));
  terminal.error(field('Error', envelope.code));
  terminal.error(field('Message', envelope.message));
  if (envelope.hint !== null) terminal.error(field('Hint', envelope.hint));
}
