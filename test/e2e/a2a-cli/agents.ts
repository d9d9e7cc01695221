import { HoldwordProcess } from '../../../packages/cli/src/testing/holdword-process.ts';
import { freePort } from '../../support/free-port.ts';
import { installPeer } from '../../interop/install.ts';
import { PEERS, versionOf } from '../../interop/peers.ts';
import { startProgram } from '../../interop/programs.ts';
import { openSdkAgent } from '../client/start-sdk-agent.ts';

/** An agent that the command line is tried on, and the messages with which it does what a check needs. */
export interface LiveAgent {
  readonly id: string;
  readonly title: string;
  /** What `-a` is given. */
  readonly url: string;
  /** Options that every command for it needs. */
  readonly options: readonly string[];
  readonly isOwn: boolean;
  readonly isLegacy: boolean;
  /** Whether it needs no credential. */
  readonly isOpen: boolean;
  /** As `--transport` takes them. */
  readonly bindings: readonly string[];
  readonly words: {
    /** Completes with an artifact that says hello. */
    readonly echo: string;
    readonly ask: string;
    /** The answer to that question. */
    readonly answer: string;
    readonly slow: string;
    readonly fail: string;
    /** Answered with a message; undefined if everything becomes a task, which can be found again. */
    readonly message?: string;
    /** Artifacts in several pieces. */
    readonly stream: string;
  };
  /** What `send` is given to get a file, and how it is shown. */
  readonly file: { readonly words: readonly string[]; readonly shown: RegExp };
  close(): Promise<void>;
}

const SHOWN_PDF = /File: \S+\.pdf, application\/pdf, https:/;

export async function startDemoServer(...words: string[]): Promise<LiveAgent> {
  const server = new HoldwordProcess(['demo-server', '--port', '0', ...words]);
  const [, url = ''] = await server.printed(/card +(http:\S+)\/\.well-known/);
  return {
    id: 'holdword',
    title: '`holdword demo-server`',
    url,
    options: [],
    isOwn: true,
    isLegacy: false,
    isOpen: true,
    bindings: ['jsonrpc', 'rest', 'grpc'],
    words: {
      echo: 'echo hello',
      ask: 'ask me',
      answer: 'blue',
      slow: 'wait 600',
      fail: 'fail',
      stream: 'count to 3',
    },
    file: {
      words: ['parts'],
      shown:
        /Text: A text\.\nData:\n[^]*"answer": 42[^]*File: hello\.txt, text\/plain, 6 bytes\nFile: picture\.png/,
    },
    close: () => server.kill(),
  };
}

export async function startCurrentSdk(): Promise<LiveAgent> {
  const bindings = ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const;
  const interfaces = bindings.map((binding) => ({ binding, version: '1.0' as const }));
  const agent = await openSdkAgent({ interfaces, streaming: true });
  return {
    id: 'sdk-1',
    title: 'JS SDK 1.3',
    url: agent.origin,
    options: [],
    isOwn: false,
    isLegacy: false,
    isOpen: true,
    bindings: ['jsonrpc', 'rest', 'grpc'],
    words: {
      echo: 'artifact a hello',
      ask: 'ask What is your name?',
      answer: 'blue',
      slow: 'wait never',
      fail: 'fail broken',
      message: 'message hello',
      stream: 'artifact a 1;append a 2;append a 3',
    },
    file: { words: ['mirror', '--file', 'https://example.com/a.pdf'], shown: SHOWN_PDF },
    close: () => agent.close(),
  };
}

/** Undefined where the SDK cannot be installed. */
export async function startLegacySdk(): Promise<LiveAgent | undefined> {
  const peer = PEERS.find(({ id }) => id === 'javascript-03');
  if (peer === undefined) return undefined;
  const installed = await installPeer(peer, () => {}).catch(() => undefined);
  if (installed === undefined) return undefined;
  const ports = [String(await freePort()), String(await freePort())];
  const program = startProgram(installed.command('server'), [...ports, 'JSONRPC', '0.3'], 600_000);
  for await (const line of program.lines) {
    if (!line.startsWith('http://')) continue;
    return {
      id: 'sdk-03',
      title: `JS SDK ${await versionOf(peer)}`,
      url: line.trim(),
      options: ['--a2a-version', '0.3'],
      isOwn: false,
      isLegacy: true,
      isOpen: true,
      bindings: ['jsonrpc'],
      words: {
        echo: 'echo hello',
        ask: 'ask',
        answer: 'blue',
        slow: 'slow',
        fail: 'fail',
        message: 'message hello',
        stream: 'stream',
      },
      file: { words: ['file'], shown: SHOWN_PDF },
      close: () => program.stop(),
    };
  }
  await program.stop();
  return undefined;
}
