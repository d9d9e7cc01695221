import type { Terminal } from '../terminal/terminal.ts';

export interface Announcement {
  agentName: string;
  /** Which of the agents that Parley knows by name, and how it is reached. */
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

function callersOf({ authenticated, publicUrl }: Announcement): string {
  if (authenticated) return 'need a credential';
  if (publicUrl === undefined) return 'this machine alone, no credential needed';
  return `everybody who reaches ${publicUrl}, no credential needed: parley keys add NAME asks for one`;
}

function curlLine({ jsonRpcUrl, authenticated }: Announcement): string {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'SendMessage',
    params: { message: { role: 'ROLE_USER', messageId: 'm1', parts: [{ text: 'echo hello' }] } },
  };
  return [
    `curl -s ${jsonRpcUrl}`,
    "-H 'Content-Type: application/json'",
    "-H 'A2A-Version: 1.0'",
    ...(authenticated ? ['-H "Authorization: Bearer $PARLEY_KEY"'] : []),
    `-d '${JSON.stringify(body)}'`,
  ].join(' ');
}
