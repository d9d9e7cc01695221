import { HubError } from '../errors/hub-error.ts';

/** Why a caller could not be authenticated as an agent. */
export type IdentityRejection =
  'missing_agent_id' | 'credential_not_registered' | 'missing_token' | 'invalid_token';

const MESSAGES: Readonly<Record<IdentityRejection, string>> = {
  missing_agent_id: 'The request has an agent token but no agent id.',
  credential_not_registered: 'This agent is not registered.',
  missing_token: 'The agent token is missing.',
  invalid_token: 'The agent token is invalid.',
};

const HINTS: Readonly<Record<IdentityRejection, string>> = {
  missing_agent_id: 'Send x-delx-agent-id together with x-delx-agent-token.',
  credential_not_registered: 'Call agents/register once with this agent_id and store the token it returns.',
  missing_token:
    'Send the token from agents/register as x-delx-agent-token. If it is lost, ask the operator to rotate it.',
  invalid_token: 'Send the token that agents/register or the last rotation returned as x-delx-agent-token.',
};

export function identityError(reason: IdentityRejection): HubError {
  return new HubError('DELX-A2A-1401', MESSAGES[reason], { hint: HINTS[reason], details: { reason } });
}

export function noStableAgent(): HubError {
  return new HubError('DELX-A2A-1005', 'A stable agent_id is required.', {
    hint: 'Call agents/register once, then send x-delx-agent-id and x-delx-agent-token with every request.',
    details: { reason: 'missing_agent_id' },
  });
}
