import type { JsonObject } from '@holdword/protocol';
import type { MessageRequest, ResponseProfile } from './message-request.ts';

const CONTINUITY = ['trace_id', 'last_successful_tool', 'last_blocker', 'suggested_next_call'];

/** Fields for human readers. */
const CONVERSATION = ['nudge', 'messages', 'impact_request'];

const FULL = [
  'id',
  'context_id',
  'session_id',
  'controller_id',
  'response_profile',
  'handoff_packet',
  'handoff',
  'handed_over',
  'canonical_agent_id',
  'ephemeral_identity',
  'registration',
  'identity_notice',
  'request_warnings',
  'nudge',
  'session_started_at',
  'session_expires_at',
  'session_age_seconds',
  'persisted',
  'mcp_ready',
  'session_persistence',
  'status',
  'created_at',
  'completed_at',
  'response_contract_version',
  'processing_ms',
  'usage_estimate',
  'links',
  'next_action',
  'next_actions',
  'next_actions_info',
  'impact_request',
  'session_resolution',
  'session_precedence',
  'heartbeat_recommendation',
  'session_age_thresholds_seconds',
  'recommended_cadence',
  'messages',
  'artifacts',
];

const MINIMAL = [
  'session_id',
  'next_action',
  'next_actions',
  'status',
  'response_profile',
  'handoff_packet',
  'handoff',
  'handed_over',
  'canonical_agent_id',
  'registration',
  'request_warnings',
  'session_age_seconds',
  'session_expires_at',
  'session_age_thresholds_seconds',
  'session_resolution',
  'recommended_cadence',
  'impact_request',
  'artifacts',
  ...CONTINUITY,
];

/** The fields of each profile, in the order in which they are sent. */
const PROFILE_FIELDS: Readonly<Record<ResponseProfile, readonly string[]>> = {
  full: FULL,
  agent: [...FULL.filter((name) => !CONVERSATION.includes(name)), ...CONTINUITY],
  minimal: MINIMAL,
  legacy: FULL,
};

/** Whether answers in this profile have the agent's words in `messages`. */
export function hasMessages(profile: ResponseProfile): boolean {
  return PROFILE_FIELDS[profile].includes('messages');
}

/** Selects the fields that the request's profile and flags ask for. */
export function pickFields(request: MessageRequest, fields: JsonObject): JsonObject {
  const omitted = new Set([
    ...(request.includeArtifacts ? [] : ['artifacts']),
    ...(request.includeNudge ? [] : ['nudge']),
    ...(request.warnings.length > 0 ? [] : ['request_warnings']),
  ]);
  const picked = Object.fromEntries(
    PROFILE_FIELDS[request.profile]
      .filter((name) => fields[name] !== undefined && !omitted.has(name))
      .map((name) => [name, fields[name]]),
  );
  return request.profile === 'legacy' ? { ...picked, ...legacyFields(picked) } : picked;
}

/** Field names of the first contract, keyed by their current names. */
const OLD_NAMES = {
  context_id: 'contextId',
  session_id: 'sessionId',
  created_at: 'createdAt',
  completed_at: 'completedAt',
};

/** Duplicates fields under their old names for parsers of the first contract. */
function legacyFields(fields: JsonObject): JsonObject {
  return {
    ...Object.fromEntries(Object.entries(OLD_NAMES).map(([name, old]) => [old, fields[name]])),
    canonical_fields: Object.keys(OLD_NAMES),
    deprecated_fields: Object.values(OLD_NAMES),
    observability: { processing_ms: fields['processing_ms'], usage_estimate: fields['usage_estimate'] },
  };
}
