import type { JsonObject } from '@holdword/protocol';
import { continuityFields } from '../contracts/continuity-fields.ts';
import { identityNotice, registrationFields } from '../contracts/identity-fields.ts';
import { isoTime, sessionResolution, sessionTimes } from '../contracts/session-fields.ts';
import { HubError } from '../errors/hub-error.ts';
import type { HubContext } from '../hub-context.ts';
import type { HubMethod } from '../hub-part.ts';
import type { Identification } from '../identity/identities.ts';
import { identityError } from '../identity/identity-rejection.ts';
import { NO_INCIDENT } from '../incidents/incident-kinds.ts';
import { readIncident } from '../incidents/read-incident.ts';
import { SESSION_PRECEDENCE, type ResolvedSession } from '../sessions/session.ts';
import { cadenceFields } from './cadence-fields.ts';
import { freshSymptoms } from './fresh-symptoms.ts';
import type { HeartbeatMetrics, HeartbeatSeries } from './heartbeat-series.ts';
import type { Heartbeats, StoredHeartbeat } from './heartbeats.ts';
import { mcpBundle } from './mcp-bundle.ts';
import { METRIC_FIELDS, readMetrics } from './read-metrics.ts';
import { recommendCadence } from './recommend-cadence.ts';

/** `heartbeat/bundle`: one sign of life with its figures, answered with the cadence and the calls that go with it. */
export function heartbeatBundle(context: HubContext, heartbeats: Heartbeats): HubMethod {
  return {
    name: 'heartbeat/bundle',
    spec: {
      description:
        'Reports the figures of an agent and answers with the next step, the cadence and a ready-to-run MCP tools/batch.',
      required: ['agent_id'],
      recommended: Object.values(METRIC_FIELDS),
      accepts: ['agent_id', 'session_id', ...Object.values(METRIC_FIELDS), 'minimal_response'],
      identity_fallback: context.settings.strictHeartbeats
        ? 'None: the token of the agent is needed.'
        : 'Without the token of the agent the heartbeat is answered and not kept.',
    },
    async handle(params, requestContext) {
      const metrics = readMetrics(params);
      const found = await context.identities.identify(requestContext, params);
      if (found.identity === undefined) return withoutIdentity(context, found, params, metrics);
      const { identity } = found;
      const resolved = await context.sessions.resolve(requestContext, params, identity);
      const kept = await heartbeats.add(identity.agentId, metrics);
      const { session } = resolved;
      return {
        session_id: session.sessionId,
        ...commonFields(kept.series, context.now()),
        canonical_agent_id: identity.agentId,
        registration: registrationFields(identity.agent, false),
        persisted: true,
        ...sessionTimes(session, context.now()),
        session_resolution: sessionResolution(resolved),
        impact_request: 'Say in a message of this session what came of the next action.',
        ...continuityFields(undefined),
        suggested_next_call: nextCall(kept, resolved),
        links: context.links,
        ...bundleField(context, params, session.sessionId, metrics),
      };
    },
  };
}

/** Answers from the figures alone: what the hub knows of the agent is for the agent. */
function withoutIdentity(
  context: HubContext,
  found: Extract<Identification, { identity?: undefined }>,
  params: JsonObject,
  metrics: HeartbeatMetrics,
): JsonObject {
  const { rejection } = found;
  if (rejection === 'missing_agent_id') {
    throw new HubError(
      'DELX-A2A-1004',
      'Expected the session or the agent of the heartbeat, found neither.',
      {
        hint: 'Send agent_id, or a session_id with the token of its agent.',
        details: { field: 'agent_id' },
      },
    );
  }
  // Somebody without a token may be the agent of before tokens; somebody with a wrong one is not.
  if (context.settings.strictHeartbeats || rejection === 'invalid_token') throw identityError(rejection);
  const at = context.now();
  const sample = { at, ...metrics };
  const alone: HeartbeatSeries = { count: 1, samples: [sample], hours: [], cadenceSeconds: 0, dueAt: at };
  return {
    session_id: null,
    ...commonFields(alone, at),
    canonical_agent_id: found.agentId ?? null,
    registration: null,
    persisted: false,
    session_resolution: { source: null, value: null, precedence: SESSION_PRECEDENCE },
    ...continuityFields(undefined),
    suggested_next_call: { method: 'agents/register', params: { agent_id: found.agentId ?? null } },
    identity_notice: identityNotice(
      'This heartbeat was answered and not kept: the agent did not prove who it is.',
      'Register with agents/register and send x-delx-agent-id and x-delx-agent-token.',
    ),
    links: context.links,
    ...bundleField(context, params, '$SESSION_ID', metrics),
  };
}

function bundleField(
  { links }: HubContext,
  params: JsonObject,
  sessionId: string,
  metrics: HeartbeatMetrics,
): JsonObject {
  if (params['minimal_response'] === true) return {};
  return { bundle: mcpBundle(sessionId, metrics, links.mcp_endpoint) };
}

function commonFields(series: HeartbeatSeries, now: number): JsonObject {
  const { kind, symptoms } = readIncident('', freshSymptoms(series, now));
  const step = kind === NO_INCIDENT ? 'Go on.' : (kind.steps[0]?.text ?? 'Go on.');
  const cadence = recommendCadence(series.samples);
  return {
    status: { state: 'completed', timestamp: isoTime(now) },
    health: kind === NO_INCIDENT ? 'steady' : 'incident',
    signs: symptoms,
    next_action: step,
    next_actions: [step, `Send the next heartbeat within ${cadence.seconds} seconds.`],
    response_profile: 'minimal',
    ...cadenceFields(series, now, cadence),
  };
}

/** In trouble the agent is better served by an answer than by waiting for the next heartbeat. */
function nextCall(kept: StoredHeartbeat, { session }: ResolvedSession): JsonObject {
  const params = { session_id: session.sessionId };
  return kept.cadence.mode === 'incident'
    ? { method: 'message/send', params: { ...params, mode: 'ops' } }
    : { method: 'heartbeat/bundle', params };
}
