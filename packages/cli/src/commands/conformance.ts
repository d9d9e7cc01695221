import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { usableInterfaces } from '@holdword/client/internal';
import { shorten } from '@holdword/protocol/internal';
import { CALL_OPTIONS, WAIT_OPTIONS } from '../calling/call-options.ts';
import { CHECKS, NotApplicable, type CheckContext } from '../calling/conformance-checks.ts';
import { reportMisuse, runCall, type Call } from '../calling/run-call.ts';
import { field } from '../calling/task-text.ts';
import type { Command } from '../command-line/command.ts';
import { UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';

interface CheckResult {
  readonly binding: string;
  readonly check: string;
  readonly section: string;
  readonly outcome: 'pass' | 'fail' | 'skipped';
  readonly detail: string | null;
}

const conformance: Command = {
  ...listed('conformance'),
  misused: reportMisuse,
  details:
    'Sends a few messages over every interface of the card and checks the answers: a smoke test. With --tck, runs the official test ' +
    'suite instead. An agent that fails is a result, so the exit code is 0; add --strict for another one.',
  options: {
    ...CALL_OPTIONS,
    timeout: WAIT_OPTIONS.timeout,
    message: { value: 'TEXT', description: 'The message to send', default: 'Hello' },
    tck: { value: 'FOLDER', description: 'A copy of the official test suite, a2a-tck, to run with Python' },
    strict: { description: 'Exit with code 1 if the agent fails a check' },
  },
  examples: [
    { comment: 'Check an agent', command: 'holdword conformance -a localhost:4310' },
    {
      comment: 'Run the official test suite, from a copy of its repository',
      command: 'holdword conformance -a localhost:4310 --tck ../a2a-tck',
    },
  ],
  page: 'guides/talk-to-an-agent.md',
  run: (input) =>
    runCall(input, async (call) => {
      const { tck, strict } = input.options;
      const failed = tck === undefined ? await runChecks(call) : await runTck(call, tck);
      return failed && strict === 'true' ? 1 : 0;
    }),
};

/** Resolves with whether a check failed. */
async function runChecks(call: Call): Promise<boolean> {
  const { found } = await call.find();
  const versions = new Set(usableInterfaces(found.card).map(({ version }) => version));
  const isLegacy = call.settings.version === '0.3' || (versions.size === 1 && versions.has('0.3'));
  const bindings = new Set(
    usableInterfaces(found.card)
      .filter(({ version }) => (version === '0.3') === isLegacy)
      .map(({ binding }) => binding),
  );
  const results: CheckResult[] = [];
  for (const binding of bindings) {
    const settings = call.settings.with('transport', binding).with('a2a-version', isLegacy ? '0.3' : '1.0');
    using agent = await call.openPlain(settings);
    using unknownVersion = await call.openPlain(settings.with('svc-param', 'A2A-Version:99.0'));
    const message = call.input.options['message'] ?? 'Hello';
    const context: CheckContext = { agent, unknownVersion, binding, message, signal: call.signal };
    for (const { name, section, run } of CHECKS) {
      const { outcome, detail } = await run(context).then(
        () => ({ outcome: 'pass' as const, detail: null }),
        (error: unknown) => {
          call.signal.throwIfAborted();
          const why = shorten(error instanceof Error ? error.message : String(error), 300);
          const isSkipped = error instanceof NotApplicable;
          return { outcome: isSkipped ? ('skipped' as const) : ('fail' as const), detail: why };
        },
      );
      results.push({ binding, check: name, section, outcome, detail });
    }
  }
  const count = (outcome: string): number => results.filter((each) => each.outcome === outcome).length;
  const summary = { pass: count('pass'), fail: count('fail'), skipped: count('skipped') };
  const suite = 'smoke test of holdword, not the official test suite';
  call.print({ suite, summary, results }, () =>
    [
      field('Suite', suite),
      ...results.map(({ binding, check, section, outcome, detail }) =>
        field(
          LABELS[outcome],
          `${binding}, ${check} (A2A ${section})${detail === null ? '' : `: ${detail}`}`,
        ),
      ),
      field('Total', `${summary.pass} passed, ${summary.fail} failed, ${summary.skipped} skipped`),
    ].join(''),
  );
  return summary.fail > 0;
}

const LABELS = { pass: 'Pass', fail: 'Fail', skipped: 'Skipped' } as const;

/** What the suite prints goes to stderr: the result here is its verdict. */
async function runTck(call: Call, folder: string): Promise<boolean> {
  const { found } = await call.find();
  if (found.url === undefined) throw new UsageError('--tck needs an agent with an address, not a file.');
  const home = resolve(call.input.workingFolder, folder);
  const script = join(home, 'run_tck.py');
  await access(script).catch(() => {
    throw new UsageError(
      `--tck: there is no run_tck.py in ${folder}. Get the suite from github.com/a2aproject/a2a-tck.`,
    );
  });
  const words = [script, '--sut-host', found.url.origin, '--level', 'must'];
  const python = spawn('python3', words, {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: call.signal,
  });
  for (const stream of [python.stdout, python.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => call.input.terminal.error(text));
  }
  const [code] = (await once(python, 'close')) as [number | null];
  const result = { suite: 'a2a-tck', level: 'must', passed: code === 0, exitCode: code };
  call.print(result, () =>
    [
      field('Suite', 'a2a-tck, level must'),
      field('Result', code === 0 ? 'passed' : `failed (exit code ${code})`),
    ].join(''),
  );
  return code !== 0;
}

export const commands: readonly Command[] = [conformance];
