import type { JsonObject } from '@holdword/protocol';
import { handedOverField } from '../handoff/fence.ts';
import type { HandoffServices } from '../handoff/handoff-access.ts';
import type { HubContext, HubPart } from '../hub-part.ts';
import { identityError, requireMayAct, type Identification } from '../identity/identities.ts';
import { identityNotice, registrationFields } from '../identity/identity.ts';
import { NO_INCIDENT } from '../incidents/incident-kinds.ts';
import { readIncident } from '../incidents/read-incident.ts';
import { NEW_SESSION_FIELD } from '../sessions/declared-sessions.ts';
import {
  SESSION_PRECEDENCE,
  sessionResolution,
  sessionTimes,
  type ResolvedSession,
} from '../sessions/session.ts';
import { HubError, invalidParameter } from '../wire/hub-error.ts';
import type { HubMethod } from '../wire/hub-method.ts';
import { isoTime } from '../wire/times.ts';
import { usageEstimate } from '../wire/usage-estimate.ts';
import { cadenceFields, recommendCadence } from './cadence.ts';
import {
  METRIC_FIELDS,
  metricFields,
  readMetrics,
  type HeartbeatMetrics,
  type HeartbeatSeries,
} from './heartbeat-series.ts';
import { CADENCE_FIELD, expectedCadence, readDeclaredCadence } from './expected-cadence.ts';
import type { Heartbeats } from './heartbeats.ts';
import { freshSymptoms } from './symptoms.ts';

/** Heartbeats: the `heartbeat/bundle` method, and the recommended interval in answers to messages. */
export function heartbeatsPart(services: HandoffServices, heartbeats: Heartbeats): HubPart {
  const { context } = services;
  return {
    methods: [heartbeatBundle(services, heartbeats)],
    enrich: async ({ identity }) => cadenceFields(await heartbeats.seen(identity.agentId), context.now()),
  };
}

/** A heartbeat has no task; clients that read the short profiles find the same fields in every answer. */
const NO_TASK_FIELDS = { trace_id: null, last_successful_tool: null, last_blocker: null };

/** `heartbeat/bundle`: records a heartbeat and returns the recommended interval and a ready-to-run MCP batch. */
function heartbeatBundle(services: HandoffServices, heartbeats: Heartbeats): HubMethod {
  const { context } = services;
  return {
    name: 'heartbeat/bundle',
    spec: {
      description:
        "Reports an agent's metrics and returns the next step, the heartbeat interval and a ready-to-run MCP tools/batch request.",
      required: ['agent_id'],
      recommended: Object.values(METRIC_FIELDS),
      accepts: [
        'agent_id',
        'session_id',
        NEW_SESSION_FIELD,
        ...Object.values(METRIC_FIELDS),
        CADENCE_FIELD,
        RECORDED_FIELD,
        'minimal_response',
      ],
      identity_fallback: context.settings.strictHeartbeats
        ? "None. The agent's token is required."
        : "Without the agent's token, the heartbeat is answered but not stored.",
    },
    async handle(params, requestContext) {
      const metrics = readMetrics(params);
      const declaredSeconds = readDeclaredCadence(params);
      const recordedAt = readRecordedAt(params);
      const found = await context.identities.identify(requestContext, params);
      const measured = (answer: JsonObject): JsonObject => ({
        ...answer,
        processing_ms: Math.round(performance.now() - requestContext.startedAt),
        usage_estimate: usageEstimate(JSON.stringify(params), JSON.stringify(answer)),
      });
      if (found.identity === undefined) return measured(withoutIdentity(context, found, params, metrics));
      const { identity } = found;
      context.limits.take('heartbeatsPerMinute', identity.agentId);
      const resolved = await context.sessions.resolve(requestContext, params, identity.agentId);
      const series =
        (await recordedSeries(heartbeats, identity.agentId, recordedAt)) ??
        (await heartbeats.add(identity.agentId, { ...metrics, declaredSeconds }));
      const { session } = resolved;
      return measured({
        session_id: session.sessionId,
        ...commonFields(series, context.now()),
        watch: watchField(series, context),
        canonical_agent_id: identity.agentId,
        registration: registrationFields(identity.agent, false),
        persisted: true,
        ...(await handedOverField(services, identity.agent)),
        ...sessionTimes(session, context.now()),
        session_resolution: sessionResolution(resolved),
        impact_request: 'Report the result of the next action in a message in this session.',
        ...NO_TASK_FIELDS,
        suggested_next_call: nextCall(series, resolved),
        links: context.links,
        ...bundleField(context, params, session.sessionId, {
          ...metricFields(metrics),
          [RECORDED_FIELD]: isoTime(series.samples.at(-1)?.at ?? context.now()),
        }),
      });
    },
  };
}

/** Names a heartbeat that the hub has recorded: the batch that answers a heartbeat reports it again. */
const RECORDED_FIELD = 'recorded_at';

function readRecordedAt(params: JsonObject): number | undefined {
  const value = params[RECORDED_FIELD];
  if (value === undefined || value === null) return undefined;
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  const hint = 'Send the batch of heartbeat/bundle unchanged, or omit it.';
  throw invalidParameter(RECORDED_FIELD, 'a time in ISO 8601', value, hint);
}

/** The series if it has a heartbeat of that time: then there is nothing to add. */
async function recordedSeries(
  heartbeats: Heartbeats,
  agentId: string,
  recordedAt: number | undefined,
): Promise<HeartbeatSeries | undefined> {
  if (recordedAt === undefined) return undefined;
  const series = await heartbeats.seen(agentId);
  return series?.samples.some(({ at }) => at === recordedAt) === true ? series : undefined;
}

/** Answers from the metrics in the request only: what the hub knows about an agent is shown only to that agent. */
function withoutIdentity(
  context: HubContext,
  found: Extract<Identification, { identity?: undefined }>,
  params: JsonObject,
  metrics: HeartbeatMetrics,
): JsonObject {
  const { rejection } = found;
  requireMayAct(found);
  if (rejection === 'missing_agent_id') {
    throw new HubError('DELX-A2A-1004', 'The heartbeat names neither an agent nor a session.', {
      hint: "Send agent_id, or session_id with its agent's token.",
      details: { field: 'agent_id' },
    });
  }
  // A caller without a token may be an old client of the agent; a caller with a wrong token is not.
  if (context.settings.strictHeartbeats || rejection === 'invalid_token') throw identityError(rejection);
  const at = context.now();
  const sample = { at, ...metrics };
  const alone: HeartbeatSeries = {
    count: 1,
    samples: [sample],
    hours: [],
    cadenceSeconds: Infinity,
    dueAt: at,
  };
  return {
    session_id: null,
    ...commonFields(alone, at),
    canonical_agent_id: found.agentId ?? null,
    registration: null,
    persisted: false,
    session_resolution: { source: null, value: null, precedence: SESSION_PRECEDENCE },
    ...NO_TASK_FIELDS,
    suggested_next_call: { method: 'agents/register', params: { agent_id: found.agentId ?? null } },
    identity_notice: identityNotice(
      'This heartbeat was answered but not stored, because the agent is not authenticated.',
      'Register with agents/register and send x-delx-agent-id and x-delx-agent-token.',
    ),
    links: context.links,
    ...bundleField(
      context,
      params,
      '$SESSION_ID',
      metricFields(metrics),
      'It needs an identity: call agents/register first and add the two headers to the request. ',
    ),
  };
}

function bundleField(
  { links }: HubContext,
  params: JsonObject,
  sessionId: string,
  heartbeat: JsonObject,
  precondition = '',
): JsonObject {
  if (params['minimal_response'] === true) return {};
  const bundle = mcpBundle(sessionId, heartbeat, links.mcp_endpoint);
  return { bundle: { ...bundle, description: `${precondition}${String(bundle['description'])}` } };
}

function commonFields(series: HeartbeatSeries, now: number): JsonObject {
  const { kind, symptoms } = readIncident('', freshSymptoms(series, now));
  const step = kind === NO_INCIDENT ? 'Continue.' : (kind.steps[0]?.text ?? 'Continue.');
  const cadence = recommendCadence(series.samples);
  // The recommended interval must not make an agent miss a shorter one that it is expected to keep.
  const within = Math.min(cadence.seconds, series.cadenceSeconds);
  return {
    status: { state: 'completed', timestamp: isoTime(now) },
    health: kind === NO_INCIDENT ? 'steady' : 'incident',
    signs: symptoms,
    next_action: step,
    next_actions: [step, `Send the next heartbeat within ${within} seconds.`],
    response_profile: 'minimal',
    ...cadenceFields(series, now, cadence),
  };
}

/** How often the hub expects a sign of life from now on, and when it raises an alarm without one. */
function watchField(series: HeartbeatSeries, { settings }: HubContext): JsonObject {
  const { seconds, source } = expectedCadence(series, settings);
  return { cadence_seconds: seconds, source, missing_at: isoTime(series.dueAt) };
}

/** During an incident, the agent should ask for advice instead of waiting for the next heartbeat. */
function nextCall({ samples }: HeartbeatSeries, { session }: ResolvedSession): JsonObject {
  const params = { session_id: session.sessionId };
  return recommendCadence(samples).mode === 'incident'
    ? { method: 'message/send', params: { ...params, mode: 'ops' } }
    : { method: 'heartbeat/bundle', params };
}

/**
 * The tool calls that accompany a heartbeat, as a request that a client can send to the MCP endpoint unchanged. If the
 * session is not known yet, `$SESSION_ID` stands for it.
 */
function mcpBundle(sessionId: string, heartbeat: JsonObject, endpoint: string): JsonObject {
  const calls = [
    { name: 'daily_checkin', arguments: { session_id: sessionId } },
    { name: 'monitor_heartbeat_sync', arguments: { session_id: sessionId, ...heartbeat } },
  ];
  return {
    description: `Send mcp_batch_request to ${endpoint} with the same identity headers. It checks in and reports the metrics.`,
    mcp_batch_hint: { sequence: calls.map(({ name }) => name) },
    mcp_batch_request: { jsonrpc: '2.0', id: 'heartbeat', method: 'tools/batch', params: { calls } },
  };
}
