import type { JsonObject } from '@holdword/protocol';
import type { AgentRecord } from '../identity/identity.ts';

export function registrationFields({ agentId, mode }: AgentRecord, isNew: boolean): JsonObject {
  return { agent_id: agentId, registered: true, newly_registered: isNew, mode };
}

/** Told to agents that will not find their way back, or were not taken for whom they say they are. */
export function identityNotice(message: string, hint: string): JsonObject {
  return { code: 'DELX-IDENTITY-WARN-TRANSITION', message, hint };
}

export function ephemeralNotice({ mode }: AgentRecord): JsonObject | null {
  if (mode === 'stable_declared') return null;
  return identityNotice(
    'This agent has a name that the hub made up.',
    'Register with an agent_id of your own and use it from then on.',
  );
}
