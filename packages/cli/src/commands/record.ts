import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import type { AgentCard } from '@holdword/protocol';
import { buildAgentCard } from '@holdword/protocol/internal';
import { createHttpHandler, noAuthentication } from '@holdword/runtime';
import { CARD_PATH, JSON_RPC_PATH, listenHttp, REST_PATH } from '@holdword/runtime/internal';
import type { CalledAgent } from '../calling/called-agent.ts';
import { CALL_OPTIONS, WAIT_OPTIONS } from '../calling/call-options.ts';
import { reportMisuse, runCall, type Call } from '../calling/run-call.ts';
import { field } from '../calling/task-text.ts';
import type { Command, CommandInput } from '../command-line/command.ts';
import { recordingOperations } from '../recording/recording-agent.ts';
import { recordingHeader } from '../recording/recording-format.ts';
import { describedAgent } from '../recording/task-events.ts';
import { notWritten, RecordingWriter, writeTo } from '../recording/write-recording.ts';
import { firstStopSignal } from '../serving/stop-reasons.ts';
import { UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';
import { readPort } from './task-source.ts';

const DEFAULT_PORT = 4320;
const HOST = '127.0.0.1';

const record: Command = {
  ...listed('record'),
  misused: reportMisuse,
  details:
    'Serves the agent again on this machine, over JSON-RPC and REST, with streams. Everything that clients ask here is passed on, and what ' +
    'the agent answers is written to FILE while they talk. Stop it with Ctrl-C: that completes the file. Credentials for the agent are ' +
    'those of this command; clients here need none, and the file has none.',
  options: {
    agent: { value: 'AGENT', description: 'The agent to record, as for -a' },
    out: { value: 'FILE', description: 'The file to write; it must not exist' },
    port: {
      value: 'PORT',
      description: 'The port to serve on; 0 picks a free one',
      default: String(DEFAULT_PORT),
    },
    ...CALL_OPTIONS,
    timeout: { ...WAIT_OPTIONS.timeout, default: 'none' },
  },
  examples: [
    {
      comment: 'Record what your client and an agent say to each other',
      command: 'holdword record --agent localhost:4310 --out trip.jsonl',
    },
  ],
  page: 'guides/record-and-replay.md',
  run: (input) => runCall(withAgent(input), (call) => recordAgent(call), { isOpenEnded: true }),
};

/** Clients are offered 1.0 and 0.3, so the agent is not asked for what 1.1 adds. */
function withAgent(input: CommandInput): CommandInput {
  const { agent, ...others } = input.options;
  const named = agent === undefined ? {} : { 'agent-card': agent };
  return { ...input, options: { 'a2a-version': '1.0', ...others, ...named } };
}

async function recordAgent(call: Call): Promise<number> {
  const { options, terminal, workingFolder } = call.input;
  if (options['out'] === undefined) throw new UsageError('Where to write? Add --out FILE.');
  const path = resolve(workingFolder, options['out']);
  const port = readPort(options['port'], DEFAULT_PORT);
  const stop = firstStopSignal();
  const agent = await call.open();
  const server = await listenHttp(HOST, port);
  const url = `http://${HOST}:${server.port}`;
  const file = await openFile(path).catch(async (error: unknown) => {
    await server.close(0);
    throw error;
  });
  const writer = new RecordingWriter(writeTo(file));
  await writer.begin(recordingHeader({ agent: describedAgent(agent) }));
  try {
    server.setHandler(
      createHttpHandler({
        operations: recordingOperations(agent, writer),
        card: recordedCard(agent, url),
        authentication: noAuthentication(),
      }),
    );
    call.print({ url, cardUrl: `${url}${CARD_PATH}`, file: path }, () =>
      [
        field('Agent', url),
        field('Card', `${url}${CARD_PATH}`),
        field('Recording', path),
        'Press Ctrl-C to stop.\n',
      ].join(''),
    );
    await terminal.written();
    await Promise.race([stop, failureOf(file, path)]);
  } finally {
    await server.close(0);
  }
  await writer.end();
  file.end();
  await finished(file);
  call.diagnostics.tell(`Recorded ${writer.events} events to ${path}.`);
  return 0;
}

/** An existing file is never written to. */
async function openFile(path: string): Promise<WriteStream> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  try {
    await once(file, 'open');
    return file;
  } catch (error) {
    throw notWritten(path, error as Error);
  }
}

/** Without the file there is nothing to go on for. */
async function failureOf(file: WriteStream, path: string): Promise<never> {
  const [error] = (await once(file, 'error')) as [Error];
  throw notWritten(path, error);
}

/** The card of the agent with the addresses of the recording, and without what cannot be passed on. */
function recordedCard({ found }: CalledAgent, url: string): AgentCard {
  const { card } = found;
  const { capabilities, defaultInputModes, defaultOutputModes } = card;
  return buildAgentCard({
    name: card.name,
    description: card.description,
    version: card.version,
    skills: card.skills,
    defaultInputModes,
    defaultOutputModes,
    ...(card.provider && { provider: card.provider }),
    endpoints: [
      { binding: 'JSONRPC', url: `${url}${JSON_RPC_PATH}`, versions: ['1.0', '0.3'] },
      { binding: 'HTTP+JSON', url: `${url}${REST_PATH}`, versions: ['1.0', '0.3'] },
    ],
    streaming: capabilities.streaming ?? false,
    pushNotifications: capabilities.pushNotifications ?? false,
    extensions: capabilities.extensions ?? [],
  });
}

export const commands: readonly Command[] = [record];
