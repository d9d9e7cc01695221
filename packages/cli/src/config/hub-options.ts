import { DEFAULT_HUB_SETTINGS } from '@holdword/hub/internal/settings';
import { flag, integer, path, settings, text } from '@holdword/runtime/internal/settings';
import { object, webAddress } from './setting-parts.ts';

const perMinute = integer('a number per minute', 0, 100_000_000);
const keptHours = integer('a number of hours', 0, 876_000);

/** The options of the hub. */
export const hubOptions = object({
  openRegistration: flag
    .optional()
    .describe('Whether agents can register without an API key.')
    .register(settings, { defaultText: 'true if the server requires no authentication, otherwise false' }),
  publicStatus: flag
    .default(DEFAULT_HUB_SETTINGS.publicStatus)
    .describe('Whether anyone who knows the id of a session can read its timestamps.'),
  strictHeartbeats: flag
    .default(DEFAULT_HUB_SETTINGS.strictHeartbeats)
    .describe(
      'Whether a heartbeat without a valid token is rejected. If false, it is answered but not stored.',
    ),
  requestsPerMinute: perMinute
    .default(DEFAULT_HUB_SETTINGS.requestsPerMinute)
    .describe(
      'Rate limit per IP address, for requests that identify neither an agent nor a caller; 0 for no limit.',
    ),
  agentRequestsPerMinute: perMinute
    .default(DEFAULT_HUB_SETTINGS.agentRequestsPerMinute)
    .describe('Rate limit per agent, and per caller with an API key or token; 0 for no limit.'),
  messagesPerMinute: perMinute
    .default(DEFAULT_HUB_SETTINGS.messagesPerMinute)
    .describe('Messages per minute of one agent; 0 for no limit.'),
  heartbeatsPerMinute: perMinute
    .default(DEFAULT_HUB_SETTINGS.heartbeatsPerMinute)
    .describe('Heartbeats per minute of one agent; 0 for no limit.'),
  registrationsPerMinute: perMinute
    .default(DEFAULT_HUB_SETTINGS.registrationsPerMinute)
    .describe('Registrations per minute of one caller, agent or address; 0 for no limit.'),
  bodyBytes: integer('a number of bytes', 1024, 16_777_216)
    .default(DEFAULT_HUB_SETTINGS.bodyBytes)
    .describe('Maximum size of a request body.'),
  sessionSeconds: integer('a number of seconds', 1, 31_536_000)
    .default(DEFAULT_HUB_SETTINGS.sessionSeconds)
    .describe('Time after which an unused session expires.'),
  idleSeconds: integer('a number of seconds', 0, 31_536_000)
    .default(DEFAULT_HUB_SETTINGS.idleSeconds)
    .describe('How long after its last use a session is resumed by a request that names no session.'),
  watchSeconds: integer('a number of seconds', 0, 3600)
    .default(DEFAULT_HUB_SETTINGS.watchSeconds)
    .describe('Interval between checks for agents that miss their heartbeat cadence; 0 for never.'),
  cadenceSeconds: integer('a number of seconds', 5, 86_400)
    .optional()
    .describe('How often each agent is expected to give a sign of life, unless it declares a cadence itself.')
    .register(settings, { defaultText: "learned from the agent's own heartbeats" }),
  graceSeconds: integer('a number of seconds', 0, 3600)
    .default(DEFAULT_HUB_SETTINGS.graceSeconds)
    .describe('How late an agent may be after two missed beats before it counts as missing.'),
  offerTasksOfMissing: flag
    .default(DEFAULT_HUB_SETTINGS.offerTasksOfMissing)
    .describe(
      'Whether the open tasks of an agent that missed its cadence are offered to other agents of the same controller.',
    ),
  packetAgent: text
    .optional()
    .describe(
      'Agent that writes hand-off packets, named as for `agent`, such as openai:MODEL. What it writes is checked against the journal.',
    )
    .register(settings, { defaultText: 'none; packets are written by rules' }),
  packetSeconds: integer('a number of seconds', 1, 100)
    .default(DEFAULT_HUB_SETTINGS.packetSeconds)
    .describe('How long that agent may take before the packet of the rules is sent instead.'),
  retention: object({
    sessionHours: keptHours
      .default(DEFAULT_HUB_SETTINGS.retention.sessionHours)
      .describe('How long to keep sessions after they expired; 0 for ever.'),
    handoffHours: keptHours
      .default(DEFAULT_HUB_SETTINGS.retention.handoffHours)
      .describe('How long to keep hand-offs after they are over; 0 for ever.'),
    alarmHours: keptHours
      .default(DEFAULT_HUB_SETTINGS.retention.alarmHours)
      .describe('How long to keep alarms; 0 for ever.'),
    heartbeatHours: keptHours
      .default(DEFAULT_HUB_SETTINGS.retention.heartbeatHours)
      .describe('How long to keep the heartbeats of an agent after its last sign of life; 0 for ever.'),
    agentHours: keptHours
      .default(DEFAULT_HUB_SETTINGS.retention.agentHours)
      .describe(
        'How long to keep the names of deleted agents, and agents with a generated id that are no longer used. Both are kept while they have tasks. 0 for ever.',
      ),
  })
    .prefault({})
    .describe('Retention of records of the hub.'),
  alarms: object(
    {
      url: webAddress.describe('URL of the webhook.'),
      tokenFile: path.optional().describe('File with a token to send as bearer token.'),
    },
    'expected an object with url',
  )
    .optional()
    .describe('Webhook that is called when an agent misses its cadence, and when it returns.')
    .register(settings, { defaultText: 'none' }),
});
