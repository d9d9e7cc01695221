import type { JsonObject } from '@holdword/protocol';
import type { AgentRecord } from '../identity/identity.ts';

export function registrationFields({ agentId, mode }: AgentRecord, isNew: boolean): JsonObject {
  return { agent_id: agentId, registered: true, newly_registered: isNew, mode };
}

/** A notice for agents with an ephemeral identity and for callers that could not be authenticated. */
export function identityNotice(message: string, hint: string): JsonObject {
  return { code: 'DELX-IDENTITY-WARN-TRANSITION', message, hint };
}

export function ephemeralNotice({ mode }: AgentRecord): JsonObject | null {
  if (mode === 'stable_declared') return null;
  return identityNotice(
    'This agent uses an id that the hub generated.',
    'Register with your own agent_id and send it with every request.',
  );
}
