import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore, serveRuntime, startRuntime } from '@holdword/runtime';
import { WAIT_OPTIONS } from '../calling/call-options.ts';
import { reportMisuse, runCall, type Call } from '../calling/run-call.ts';
import { field } from '../calling/task-text.ts';
import type { Command } from '../command-line/command.ts';
import { openMockAgent, type MockAgent } from '../recording/mock-agent.ts';
import { readSpeed, SPEED_OPTION } from '../recording/pacing.ts';
import { writeEvents, writeRecordingFile } from '../recording/write-recording.ts';
import { firstStopSignal } from '../serving/stop-reasons.ts';
import { UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';
import { readPort, recordingPath, TASK_SOURCE_OPTIONS, withTaskEvents } from './task-source.ts';

const DEFAULT_PORT = 4310;

const mock: Command = {
  ...listed('mock'),
  misused: reportMisuse,
  details:
    'A message gets what the first recorded message with the same parts got: the same states, texts, artifacts and questions, in the ' +
    'same order. A message that is repeated is answered again; one that the recording does not have fails its task. With --strict, ' +
    'messages must come in the order of the recording and each once, and the exit code is 1 if they did not. Serves only this machine.',
  options: {
    from: { value: 'FILE|TASK', description: 'The recording to answer from, or a task to record now' },
    port: {
      value: 'PORT',
      description: 'The port to serve on; 0 picks a free one',
      default: String(DEFAULT_PORT),
    },
    speed: { ...SPEED_OPTION, default: 'max' },
    strict: { description: 'Accept messages only in the order of the recording, each once' },
    ...TASK_SOURCE_OPTIONS,
    timeout: { ...WAIT_OPTIONS.timeout, default: 'none' },
  },
  examples: [
    {
      comment: 'Test your client against what an agent once answered',
      command: 'holdword mock --from trip.jsonl --port 4320',
    },
  ],
  page: 'guides/record-and-replay.md',
  run: (input) =>
    runCall(input, (call) => inTemporaryFolder((folder) => serveMock(call, folder)), { isOpenEnded: true }),
};

async function serveMock(call: Call, folder: string): Promise<number> {
  const { options, terminal } = call.input;
  const { from } = options;
  if (from === undefined) throw new UsageError('What to answer? Add --from FILE, or --from TASK -a AGENT.');
  const speed = readSpeed(options['speed'], Infinity);
  const port = readPort(options['port'], DEFAULT_PORT);
  const isStrict = options['strict'] === 'true';
  const path =
    (await recordingPath(call.input, from)) ?? (await recordTask(call, from, join(folder, 'task.jsonl')));
  const agent = await openMockAgent(path, {
    speed,
    isStrict,
    onMismatch: (text) => call.diagnostics.warn(text),
  });
  const stop = firstStopSignal();
  const store = await openSqliteStore({ folder: join(folder, 'data') });
  const runtime = await startRuntime({ store, executor: agent });
  try {
    const served = await serveRuntime({ runtime, port });
    try {
      call.print({ url: served.url, cardUrl: served.cardUrl, turns: agent.progress.turns }, () =>
        [
          field('Agent', served.url),
          field('Card', served.cardUrl),
          field('Recorded messages', String(agent.progress.turns)),
          'Press Ctrl-C to stop.\n',
        ].join(''),
      );
      await terminal.written();
      await Promise.race([stop, aborted(call.signal)]);
    } finally {
      await served.close({ graceMilliseconds: 0 });
    }
  } finally {
    await runtime.stop({ graceMilliseconds: 0 });
    await store.close();
  }
  return outcome(call, agent, isStrict);
}

function outcome(call: Call, { progress }: MockAgent, isStrict: boolean): number {
  const { turns, played, mismatches } = progress;
  call.diagnostics.tell(`Played ${played} of ${turns} recorded messages.`);
  return isStrict && (played < turns || mismatches > 0) ? 1 : 0;
}

async function recordTask(call: Call, taskId: string, path: string): Promise<string> {
  await withTaskEvents(call, taskId, (events) =>
    writeRecordingFile(path, (writer) => writeEvents(writer, events)),
  );
  return path;
}

async function inTemporaryFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-mock-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

export const commands: readonly Command[] = [mock];
