import type { Command } from '../command-line/command.ts';
import { DEMO_LOGINS, type DemoLogin } from '../demo/demo-logins.ts';
import { UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';

const DEFAULT_PORT = 4320;

const demoServer: Command = {
  ...listed('demo-server'),
  details:
    'Does what a message says, such as count to 5, ask me, choose, parts, report, reject or fail, over JSON-RPC, REST and gRPC, in A2A ' +
    '1.1, 1.0 and 0.3. Its card is signed. It keeps everything in memory and can be reached from this machine alone.',
  options: {
    port: { value: 'N', description: 'HTTP port; 0 picks a free one', default: String(DEFAULT_PORT) },
    login: { value: DEMO_LOGINS.join('|'), description: 'What callers have to send', default: 'none' },
    'required-extension': { value: 'URI', description: 'An extension that clients have to declare' },
  },
  examples: [
    { comment: 'Try a client', command: 'holdword demo-server' },
    { comment: 'Try its login', command: 'holdword demo-server --login oauth' },
  ],
  page: 'guides/talk-to-an-agent.md',
  async run(input) {
    const {
      port = String(DEFAULT_PORT),
      login = 'none',
      'required-extension': requiredExtension,
    } = input.options;
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
      throw new UsageError(`--port: expected a port number, found "${port.slice(0, 40)}".`);
    }
    const server = await import('../demo/run-demo-server.ts');
    return server.runDemoServer(input, { port: Number(port), login: readLogin(login), requiredExtension });
  },
};

function readLogin(given: string): DemoLogin {
  const login = DEMO_LOGINS.find((each) => each === given);
  if (login !== undefined) return login;
  throw new UsageError(`--login: expected ${DEMO_LOGINS.join(', ')}, found "${given.slice(0, 40)}".`);
}

export const commands: readonly Command[] = [demoServer];
