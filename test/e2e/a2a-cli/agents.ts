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
  readonly words: {
    /** Completes with an artifact that says hello. */
    readonly echo: string;
    readonly ask: string;
    readonly slow: string;
    readonly fail: string;
    readonly message: string;
    /** Artifacts in several pieces. */
    readonly stream: string;
  };
  close(): Promise<void>;
}

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
    words: {
      echo: 'echo hello',
      ask: 'ask me',
      slow: 'wait 600',
      fail: 'fail',
      message: 'hello',
      stream: 'count to 3',
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
    words: {
      echo: 'artifact a hello',
      ask: 'ask What is your name?',
      slow: 'wait never',
      fail: 'fail broken',
      message: 'message hello',
      stream: 'artifact a 1;append a 2;append a 3',
    },
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
      words: {
        echo: 'echo hello',
        ask: 'ask',
        slow: 'slow',
        fail: 'fail',
        message: 'message hello',
        stream: 'stream',
      },
      close: () => program.stop(),
    };
  }
  await program.stop();
  return undefined;
}
