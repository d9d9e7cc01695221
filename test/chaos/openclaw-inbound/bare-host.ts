import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  readAccounts,
  startAccount,
  type Host,
  type HostRoute,
} from '@holdword/openclaw-a2a-inbound/testing';
import { PEER_KEY_SHA256 } from './peer-key.ts';
import { scriptedDispatch } from './scripted-dispatch.ts';

// The inbound plugin's account in a process without a gateway: it starts in a fraction of the time, so that a campaign can
// kill it often. Its argument is the data folder; `HOST_TOOLS` says which tools its caller may use.

const [, , dataFolder = ''] = process.argv;
const routes = new Set<HostRoute>();
const questions = new Map<string, () => void>();

const host: Host = {
  producedFileFolders: [],
  dispatch: (turn) => scriptedDispatch(turn, questions),
  saveFile: () => Promise.reject(new Error('This host does not accept files.')),
  decideApproval: async ({ approval }) => {
    const decide = questions.get(approval.approvalId);
    decide?.();
    return decide !== undefined;
  },
  registerRoute: (route) => {
    routes.add(route);
    return () => routes.delete(route);
  },
};

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

const server = createServer((request, response) => void serve(request, response));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const [account] = readAccounts({
  accounts: {
    default: {
      publicBaseUrl: address,
      // A direct message is returned once and not stored.
      agentStyle: 'task-generating',
      taskStore: { kind: 'sqlite', path: dataFolder },
      features: { rest: true },
      auth: {
        required: true,
        peers: {
          campaign: {
            keySha256: PEER_KEY_SHA256,
            tools: process.env['HOST_TOOLS'] === 'all' ? 'all' : [],
            mayApprove: true,
          },
        },
      },
    },
  },
});
if (account?.config === undefined) throw new Error(account?.problems.join('\n'));
await startAccount({ config: account.config, host, log: { info: print, warn: print, error: print } });
print(`The account is ready: ${address}/a2a/rest`);

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', address);
  const route = [...routes].find(({ path, match }) =>
    match === 'exact' ? pathname === path : pathname === path || pathname.startsWith(`${path}/`),
  );
  if (route === undefined) response.writeHead(404).end();
  else await route.handle(request, response);
}
