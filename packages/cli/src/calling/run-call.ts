import type { CommandInput } from '../command-line/command.ts';
import type { Terminal } from '../command-line/terminal.ts';
import type { UsageError } from '../usage-error.ts';
import { describeFailure, type CallFailure } from './call-errors.ts';
import { findAgent, openAgent, type CalledAgent, type NamedCard } from './called-agent.ts';
import { readCallSettings, type CallSettings } from './call-settings.ts';
import { Diagnostics } from './diagnostics.ts';
import { field } from './task-text.ts';

/** What a command that calls an agent works with. */
export interface Call {
  readonly input: CommandInput;
  readonly settings: CallSettings;
  readonly diagnostics: Diagnostics;
  /** Aborts when the user presses Ctrl-C. */
  readonly signal: AbortSignal;
  readonly isJson: boolean;
  readonly isVerbose: boolean;
  /** Events are printed as they arrive. */
  readonly isStreaming: boolean;
  /** Finds the agent. */
  readonly find: () => Promise<NamedCard>;
  /** Finds the agent, and chooses how to call it. */
  readonly open: () => Promise<CalledAgent>;
  /** Prints a result: JSON for programs, or the text. With --stream, JSON takes one line. */
  readonly print: (json: unknown, text: () => string) => void;
}

/** As shells report a program that Ctrl-C ended. */
const INTERRUPTED = 130;

/** Runs a command that calls an agent, and reports its failure the way it prints results. */
export async function runCall(
  input: CommandInput,
  run: (call: Call) => Promise<void>,
  onInterrupt: () => string | undefined = () => undefined,
): Promise<number> {
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort(new DOMException('interrupted', 'AbortError'));
  process.once('SIGINT', interrupt);
  const isStreaming = input.options['stream'] === 'true';
  let agent: CalledAgent | undefined;
  let isJson = input.options['output'] === 'json';
  let diagnostics: Diagnostics | undefined;
  try {
    const settings = await readCallSettings(input);
    ({ isJson } = settings);
    const told = new Diagnostics(input.terminal, settings);
    diagnostics = told;
    const { signal } = interruption;
    await run({
      input,
      settings,
      diagnostics,
      signal,
      isJson,
      isVerbose: settings.isOn('verbose'),
      isStreaming,
      find: () => findAgent(settings, input, signal),
      open: async () => (agent = await openAgent(await findAgent(settings, input, signal), settings, told)),
      print: (json, text) =>
        input.terminal.out(isJson ? `${JSON.stringify(json, null, isStreaming ? 0 : 2)}\n` : text()),
    });
    return 0;
  } catch (error) {
    if (interruption.signal.aborted) {
      const how = onInterrupt();
      if (how !== undefined) diagnostics?.tell(how);
      return INTERRUPTED;
    }
    const failure = describeFailure(error, agent?.sentCredentials ?? false);
    report(input, failure, isJson, isStreaming);
    return failure.exitCode;
  } finally {
    process.off('SIGINT', interrupt);
    agent?.[Symbol.dispose]();
  }
}

/** Reports a wrong command line of such a command, before it runs. */
export function reportMisuse(error: UsageError, words: readonly string[], terminal: Terminal): number {
  const isJson = words.some((word, index) => word === 'json' && OUTPUT_WORDS.has(words[index - 1] ?? ''));
  const failure = describeFailure(error, false);
  report({ terminal }, failure, isJson || words.includes('--output=json'), words.includes('--stream'));
  return failure.exitCode;
}

const OUTPUT_WORDS: ReadonlySet<string> = new Set(['-o', '--output']);

function report(
  { terminal }: Pick<CommandInput, 'terminal'>,
  { envelope }: CallFailure,
  isJson: boolean,
  isStreaming: boolean,
): void {
  if (isJson) return terminal.out(`${JSON.stringify({ error: envelope }, null, isStreaming ? 0 : 2)}\n`);
  terminal.error(field('Error', envelope.code));
  terminal.error(field('Message', envelope.message));
  if (envelope.hint !== null) terminal.error(field('Hint', envelope.hint));
}
