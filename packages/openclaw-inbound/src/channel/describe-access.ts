import type { AccountConfig, ToolAccess } from '../config/account-config.ts';

type Access = Pick<AccountConfig, 'accountId' | 'defaultAgentId' | 'auth'>;

const MAX_PEERS = 5;

/** One sentence for the operator: who may call the account, and what they get. */
export function describeAccess({ accountId, defaultAgentId, auth }: Access): string {
  const agent = defaultAgentId === undefined ? 'the agent' : `agent ${defaultAgentId}`;
  const peers = Object.entries(auth.peers).map(
    ([name, { tools, privateFiles }]) =>
      `${name} (${describeTools(tools)}${privateFiles ? ', private files' : ''})`,
  );
  const shown = peers.slice(0, MAX_PEERS).join(', ');
  const more = peers.length > MAX_PEERS ? ` and ${peers.length - MAX_PEERS} more` : '';
  const listed = peers.length === 0 ? 'no peers' : `${shown}${more}`;
  return isOpen({ auth })
    ? `Account "${accountId}" is open: anyone who reaches it can talk to ${agent}, without tools and private files; ` +
        `with credentials: ${listed}.`
    : `Account "${accountId}" requires credentials; these peers can call ${agent}: ${listed}.`;
}

/** What to do about an account that accepts callers without credentials. */
export const CLOSE_IT =
  'To accept only known callers, set auth.required to true and list them in auth.peers.';

/** Whether callers without credentials are accepted. */
export function isOpen({ auth }: Pick<AccountConfig, 'auth'>): boolean {
  return !auth.required;
}

function describeTools(tools: ToolAccess): string {
  if (tools === 'none') return 'no tools';
  return tools === 'all' ? 'all tools' : `tools: ${tools.join(' ')}`;
}
