import { HubError } from '../errors/hub-error.ts';

/** Why a caller is not taken for an agent. */
export type IdentityRejection =
  'missing_agent_id' | 'credential_not_registered' | 'missing_token' | 'invalid_token';

const MESSAGES: Readonly<Record<IdentityRejection, string>> = {
  missing_agent_id: 'Expected the agent that the token belongs to, found none.',
  credential_not_registered: 'Expected an agent that has registered, found one that has not.',
  missing_token: 'Expected the token of this agent, found none.',
  invalid_token: 'Expected the token of this agent, found another one.',
};

const HINTS: Readonly<Record<IdentityRejection, string>> = {
  missing_agent_id: 'Send x-delx-agent-id beside x-delx-agent-token.',
  credential_not_registered:
    'Call agents/register once with this agent_id and keep the token that it answers with.',
  missing_token:
    'Send the token of agents/register as x-delx-agent-token. If it is lost, the operator can rotate it.',
  invalid_token:
    'Send the token that the last agents/register or rotation answered with as x-delx-agent-token.',
};

export function identityError(reason: IdentityRejection): HubError {
  return new HubError('DELX-A2A-1401', MESSAGES[reason], { hint: HINTS[reason], details: { reason } });
}

export function noStableAgent(): HubError {
  return new HubError('DELX-A2A-1005', 'Expected a stable agent_id, found none.', {
    hint: 'Call agents/register once, then send x-delx-agent-id and x-delx-agent-token with every call.',
    details: { reason: 'missing_agent_id' },
  });
}
