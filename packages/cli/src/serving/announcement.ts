import type { Terminal } from '../terminal/terminal.ts';

export interface Announcement {
  agentName: string;
  /** Which of the agents that Holdword knows by name, and how it is reached. */
  agent?: string;
  cardUrl: string;
  jsonRpcUrl: string;
  restUrl: string;
  /** Absent when gRPC is off. */
  grpcAddress?: string;
  /** Where the data is, in words. */
  data: string;
  /** Whether callers need a credential. */
  authenticated: boolean;
  /** Makes a key, from which on they do. */
  addKeyCommand: string;
  /** Where the hub is reached, where there is one. */
  hub?: { readonly a2a_endpoint: string; readonly mcp_endpoint: string } | undefined;
  /** The public address that a proxy takes calls at, where there is one. */
  publicUrl?: string;
}

/** What the program says once the agent can be reached. */
export function renderAnnouncement(announcement: Announcement, terminal: Pick<Terminal, 'style'>): string {
  const rows = [
    ...(announcement.agent === undefined ? [] : [['agent', announcement.agent] as const]),
    ['card', announcement.cardUrl],
    ['JSON-RPC', announcement.jsonRpcUrl],
    ['REST', announcement.restUrl],
    ['gRPC', announcement.grpcAddress ?? 'off'],
    ...(announcement.hub === undefined
      ? []
      : ([
          ['hub', announcement.hub.a2a_endpoint],
          ['MCP', announcement.hub.mcp_endpoint],
        ] as const)),
    ['data', announcement.data],
    ['callers', callersOf(announcement)],
  ] as const;
  return [
    `${terminal.style('bold', announcement.agentName)} is ready.`,
    '',
    ...rows.map(([label, value]) => `  ${terminal.style('dim', label.padEnd(8))}  ${value}`),
    '',
    'Try it:',
    `  ${curlLine(announcement)}`,
    '',
    'Ctrl-C stops it.',
    '',
  ].join('\n');
}

function callersOf({ authenticated, addKeyCommand, publicUrl }: Announcement): string {
  if (authenticated) return 'need a credential';
  if (publicUrl === undefined) return 'this machine alone, no credential needed';
  return `everybody who reaches ${publicUrl}, no credential needed: ${addKeyCommand} asks for one`;
}

function curlLine({ jsonRpcUrl, hub, authenticated }: Announcement): string {
  const [url, headers, call] =
    hub === undefined ? [jsonRpcUrl, ['A2A-Version: 1.0'], SEND] : [hub.a2a_endpoint, [], REGISTER];
  return [
    `curl -s ${url}`,
    ...['Content-Type: application/json', ...headers].map((header) => `-H '${header}'`),
    ...(authenticated ? ['-H "Authorization: Bearer $HOLDWORD_KEY"'] : []),
    `-d '${JSON.stringify({ jsonrpc: '2.0', id: 1, ...call })}'`,
  ].join(' ');
}

const SEND = {
  method: 'SendMessage',
  params: { message: { role: 'ROLE_USER', messageId: 'm1', parts: [{ text: 'echo hello' }] } },
};
const REGISTER = { method: 'agents/register', params: { agent_id: 'runner-01' } };
