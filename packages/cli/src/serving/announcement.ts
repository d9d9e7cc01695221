import type { Terminal } from '../command-line/terminal.ts';

export interface Announcement {
  agentName: string;
  /** The kind of agent, if it is served by name, and its transport. */
  agent?: string | undefined;
  cardUrl: string;
  jsonRpcUrl: string;
  restUrl: string;
  /** Absent when gRPC is off. */
  grpcAddress?: string | undefined;
  /** Where the data is stored, in words. */
  data: string;
  /** A message that the agent can answer. */
  sampleText: string;
  /** Whether callers must authenticate. */
  authenticated: boolean;
  /** Creates an API key; authentication is required from then on. */
  addKeyCommand: string;
  /** The endpoints of the hub, if there is one. */
  hub?: { readonly a2a_endpoint: string; readonly mcp_endpoint: string } | undefined;
  /** Where the console is; a link that signs in, if the server needs no credential. Absent if it is off. */
  console?: string | undefined;
  /** The public URL, if the server is behind a proxy. */
  publicUrl?: string | undefined;
}

const REGISTER = { method: 'agents/register', params: { agent_id: 'runner-01' } };

/** What the program prints once the agent accepts requests. */
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
    ['access', accessOf(announcement)],
  ] as const;
  return [
    `${terminal.style('bold', announcement.agentName)} is ready.`,
    '',
    ...rows.map(([label, value]) => `  ${terminal.style('dim', label.padEnd(8))}  ${value}`),
    '',
    announcement.authenticated
      ? `Try it, with an API key in HOLDWORD_KEY (create one with: ${announcement.addKeyCommand}) or a token:`
      : 'Try it:',
    `  ${curlLine(announcement)}`,
    '',
    ...consoleLines(announcement),
    'Press Ctrl-C to stop.',
    '',
  ].join('\n');
}

function consoleLines({ console: url, authenticated }: Announcement): string[] {
  if (url === undefined) return [];
  const how = authenticated
    ? 'Open the console and sign in with an API key or a token:'
    : 'Open the console (this link works once):';
  return [how, `  ${url}`, ''];
}

function accessOf({ authenticated, addKeyCommand, publicUrl }: Announcement): string {
  if (authenticated) return 'authentication required';
  if (publicUrl === undefined) return 'localhost only, no authentication';
  return `anyone who can reach ${publicUrl}, no authentication; to require API keys, run: ${addKeyCommand}`;
}

function curlLine({ jsonRpcUrl, hub, authenticated, sampleText }: Announcement): string {
  const [url, headers, call] =
    hub === undefined
      ? [jsonRpcUrl, ['A2A-Version: 1.0'], sendCall(sampleText)]
      : [hub.a2a_endpoint, [], REGISTER];
  return [
    `curl -s ${url}`,
    ...['Content-Type: application/json', ...headers].map((header) => `-H '${header}'`),
    ...(authenticated ? ['-H "Authorization: Bearer $HOLDWORD_KEY"'] : []),
    `-d '${JSON.stringify({ jsonrpc: '2.0', id: 1, ...call })}'`,
  ].join(' ');
}

function sendCall(text: string) {
  return {
    method: 'SendMessage',
    params: { message: { role: 'ROLE_USER', messageId: 'm1', parts: [{ text }] } },
  };
}
