import type { JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import { z } from 'zod';
import { readSessionStatus } from '../status/session-status.ts';
import { isoTime } from '../wire/times.ts';
import type { HubTool, ToolHub } from './hub-tool.ts';

const sessionId = z
  .string()
  .optional()
  .describe('The session to continue. Default: the x-delx-session-id header, otherwise your latest session.');

const handoffId = z.string().min(1).describe('Id of the hand-off.');

const leaseToken = z.string().min(1).describe('The lease_token returned by handoff_claim.');

const metric = z.number().min(0);

const WHOLE_STATE = 'What is the state of this session, and what is the next step?';
const WHOLE_SESSION = 'What should the next agent remember?';
const SESSIONS_LISTED = 10;

/** All tools, in the order in which they are listed. */
export const HUB_TOOLS: readonly HubTool[] = [
  {
    name: 'reflect',
    title: 'Reflect',
    description:
      'Share what is on your mind in your own words and get an answer based on what your session actually contains. Use ' +
      'this for open-ended reflection; use an A2A message for routing and hand-off.',
    inputSchema: z.object({
      reflection: z.string().min(1).max(2_000).describe('What you want to reflect on.'),
      session_id: sessionId,
    }),
    readOnly: false,
    waits: true,
    run: ({ reflection, session_id }, hub) => converse(hub, { text: reflection, session_id }),
  },
  {
    name: 'reflect_on_state',
    title: 'Reflect on state',
    description: 'Get a plain, neutral summary of your session: what is done, what is open, what is next.',
    inputSchema: z.object({
      focus: z
        .string()
        .min(1)
        .max(2_000)
        .optional()
        .describe('What to focus on. Default: the whole session.'),
      session_id: sessionId,
    }),
    readOnly: false,
    waits: true,
    run: reflectOnState,
  },
  {
    name: 'daily_checkin',
    title: 'Daily check-in',
    description:
      'Report your status once a day, so that your session records what you are doing and what blocks you.',
    inputSchema: z.object({
      status: z.string().max(500).optional().describe('Your current status. Default: running.'),
      blockers: z.string().max(1_000).optional().describe('What blocks you.'),
      notes: z.string().max(400).optional().describe('Anything else a successor should know.'),
      session_id: sessionId,
      new_session: z
        .boolean()
        .optional()
        .describe('Start a new session next to those you have. Default: false.'),
    }),
    readOnly: false,
    waits: true,
    run: ({ status = 'running', blockers, notes, session_id, new_session }, hub) =>
      converse(hub, {
        text: [
          `Daily check-in. Status: ${String(status)}.`,
          ...(typeof blockers === 'string' ? [`Blockers: ${blockers}.`] : []),
          ...(typeof notes === 'string' ? [`Notes: ${notes}.`] : []),
        ].join(' '),
        session_id,
        new_session,
        mode: 'heartbeat',
      }),
  },
  {
    name: 'monitor_heartbeat_sync',
    title: 'Heartbeat',
    description:
      'Report your metrics for the last hour. They are stored as a series and determine the recommended heartbeat interval.',
    inputSchema: z.object({
      errors_last_hour: metric.optional().describe('Errors in the last hour.'),
      latency_ms_p95: metric.optional().describe('95th percentile of your latency in milliseconds.'),
      queue_depth: metric.optional().describe('Number of items waiting in your queue.'),
      recorded_at: z
        .string()
        .optional()
        .describe('The time of a heartbeat that the hub has recorded; it is not counted again.'),
      session_id: sessionId,
    }),
    readOnly: false,
    run: (input, hub) => hub.method('heartbeat/bundle', { ...input, minimal_response: true }),
  },
  {
    name: 'session_status',
    title: 'Session status',
    description:
      'Get the status of one of your sessions: when it expires and how many tasks are pending. Read-only.',
    inputSchema: z.object({
      session_id: z.string().optional().describe('The session. Default: your latest session.'),
    }),
    readOnly: true,
    async run({ session_id }, { context, requestContext }) {
      const { agentId } = await context.identities.require(requestContext, {});
      const which = typeof session_id === 'string' ? { sessionId: session_id } : { agentId };
      return readSessionStatus(context, requestContext, which);
    },
  },
  {
    name: 'list_sessions',
    title: 'List sessions',
    description: 'List your sessions, newest first, and when each one expires.',
    inputSchema: z.object({
      limit: z
        .int()
        .min(1)
        .max(50)
        .optional()
        .describe(`Maximum number of sessions. Default: ${SESSIONS_LISTED}.`),
    }),
    readOnly: true,
    async run({ limit }, { context, requestContext }) {
      const { agentId } = await context.identities.require(requestContext, {});
      const sessions = await context.sessions.list(
        agentId,
        typeof limit === 'number' ? limit : SESSIONS_LISTED,
      );
      return {
        sessions: sessions.map((session) => ({
          session_id: session.sessionId,
          started_at: isoTime(session.startedAt),
          expires_at: isoTime(session.expiresAt),
          can_be_continued: context.sessions.isAlive(session),
          is_active: context.sessions.isActive(session),
        })),
      };
    },
  },
  {
    name: 'handoff_packet',
    title: 'Hand-off packet',
    description:
      'Get what a successor needs from your session, based on its journal: what was done, what remains, artifacts, ' +
      'decisions, the last error, the next action, and the source of each fact.',
    inputSchema: z.object({
      note: z.string().min(1).max(2_000).optional().describe('A note to add for the successor.'),
      session_id: sessionId,
    }),
    readOnly: false,
    waits: true,
    run: ({ note, session_id }, hub) =>
      converse(hub, { text: note ?? WHOLE_SESSION, session_id, mode: 'neutral', packet: 'handoff_packet' }),
  },
  {
    name: 'handoff_offer',
    title: 'Offer a task',
    description:
      'Offer an unfinished task to a successor: to one agent, to agents of your controller with a skill, or to any agent ' +
      'of your controller. Exactly one of them can claim it.',
    inputSchema: z.object({
      task_id: z.string().optional().describe('The task. Default: your newest unfinished task.'),
      session_id: z.string().optional().describe('Search for the task only in this session.'),
      to_agent_id: z.string().optional().describe('The agent that can claim the task.'),
      to_unregistered: z
        .boolean()
        .optional()
        .describe('Offer it to to_agent_id even if no agent has registered that name yet.'),
      to_skill: z.string().optional().describe('The skill that an agent must have to claim the task.'),
      note: z.string().max(2_000).optional().describe('A note to the successor.'),
      expires_in_seconds: z
        .number()
        .optional()
        .describe('How long the task can be claimed. Default: 86400 (one day).'),
      lease_seconds: z
        .number()
        .optional()
        .describe(
          'How long the successor holds the task without activity before others can claim it. Default: 600.',
        ),
    }),
    readOnly: false,
    run: method('handoff/offer'),
  },
  {
    name: 'handoff_list',
    title: 'List hand-offs',
    description: 'List open hand-offs: of your tasks, of agents you control, and those offered to you.',
    inputSchema: z.object({
      filter: z
        .enum(['all', 'claimable', 'held', 'own'])
        .optional()
        .describe(
          'claimable: what you can claim now. held: what you hold. own: of your tasks. Default: all.',
        ),
      limit: z.int().min(1).max(100).optional().describe('Maximum number of hand-offs. Default: 50.'),
      cursor: z.string().optional().describe('next_cursor of the previous page.'),
    }),
    readOnly: true,
    run: method('handoff/list'),
  },
  {
    name: 'handoff_get',
    title: 'Get a hand-off',
    description:
      'Get the status of a hand-off: who holds it and until when. If you offered it, also who rejected it and why.',
    inputSchema: z.object({ handoff_id: handoffId }),
    readOnly: true,
    run: method('handoff/get'),
  },
  {
    name: 'handoff_claim',
    title: 'Claim a task',
    description:
      'Claim an offered task. Returns the hand-off packet and a lease_token, which you pass to handoff_continue.',
    inputSchema: z.object({ handoff_id: handoffId }),
    readOnly: false,
    run: method('handoff/claim'),
  },
  {
    name: 'handoff_ack',
    title: 'Acknowledge a claimed task',
    description: 'Confirm that you continue a task you claimed. Call it again to renew the lease.',
    inputSchema: z.object({ handoff_id: handoffId, lease_token: leaseToken }),
    readOnly: false,
    run: method('handoff/ack'),
  },
  {
    name: 'handoff_artifacts',
    title: 'Get artifacts of claimed work',
    description:
      'Get the content of artifacts that a hand-off packet names: of the task that you claimed, or of an earlier task of its ' +
      'session.',
    inputSchema: z.object({
      handoff_id: handoffId,
      lease_token: leaseToken,
      task_id: z
        .string()
        .optional()
        .describe("The task in the artifact's source. Default: the task that you claimed."),
    }),
    readOnly: true,
    run: method('tasks/get'),
  },
  {
    name: 'handoff_continue',
    title: 'Continue a claimed task',
    description: 'Send a message to a task that you claimed.',
    inputSchema: z.object({
      handoff_id: handoffId,
      lease_token: leaseToken,
      text: z.string().min(1).max(2_000).describe('What should be done next.'),
    }),
    readOnly: false,
    waits: true,
    run: (input, hub) => converse(hub, input),
  },
  {
    name: 'handoff_finish',
    title: 'Finish claimed work',
    description:
      'Say that reported work you claimed is done. The hand-off of a task finishes with its task instead.',
    inputSchema: z.object({ handoff_id: handoffId, lease_token: leaseToken }),
    readOnly: false,
    run: method('handoff/finish'),
  },
  {
    name: 'handoff_release',
    title: 'Release a task',
    description: 'Release a task you claimed, withdraw an offer you made, or decline an offer made to you.',
    inputSchema: z.object({
      handoff_id: handoffId,
      lease_token: leaseToken.optional(),
      reason: z
        .string()
        .max(500)
        .optional()
        .describe('The reason, shown to the agent that offered the task.'),
    }),
    readOnly: false,
    run: method('handoff/release'),
  },
  {
    name: 'fleet_status',
    title: 'Fleet status',
    description: 'List the agents you control: sessions, health, open tasks and open hand-offs.',
    inputSchema: z.object({
      limit: z.int().min(1).max(100).optional().describe('Maximum number of agents. Default: 50.'),
      after: z.string().optional().describe('next_after of the previous page.'),
    }),
    readOnly: true,
    run: method('fleet/status'),
  },
];

/** Forwards the input of a tool to a method of the hub and returns its result. */
function method(name: string): HubTool['run'] {
  return (input, hub) => hub.method(name, input);
}

/** The answer fields that a model needs; the rest is for A2A clients. */
const KEPT = [
  'session_id',
  'session_resolution',
  'status',
  'next_action',
  'next_actions',
  'handoff_packet',
  'request_warnings',
] as const;

/** Sends a message in the caller's session and returns the answer's text with the fields a model needs. */
async function converse(hub: ToolHub, params: JsonObject): Promise<JsonObject> {
  const { text: message, ...more } = params;
  const given = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined));
  const result = await hub.method('message/send', { profile: 'full', message, ...given });
  const kept = KEPT.filter((name) => result[name] !== undefined).map((name) => [name, result[name]]);
  return { answer: answerIn(result), task_id: result['id'], ...Object.fromEntries(kept) };
}

/** So many facts of each kind are told; the packet has them all. */
const FACTS_TOLD = 5;
/** What a next action rests on if somebody reported it. */
const REPORTED = new Set<unknown>(['noted', 'question', 'remaining', 'error']);

/** The answer of the hub's agent, and what was reported in the session: what is done, what is open, what is next. */
async function reflectOnState({ focus, session_id }: JsonObject, hub: ToolHub): Promise<JsonObject> {
  const { handoff_packet: packet, ...state } = await converse(hub, {
    text: typeof focus === 'string' ? `${WHOLE_STATE} Focus: ${focus}` : WHOLE_STATE,
    session_id,
    mode: 'neutral',
    response_mode: 'model_safe',
    packet: 'handoff_packet',
  });
  const evidence = asObject(asObject(packet)['evidence']);
  const next = asObject(evidence['exact_next_action']);
  const done = textsOf(evidence['done']);
  const open = [...textsOf(evidence['remaining']), ...textsOf(evidence['open_questions'])];
  const lines = [
    ...done.map((text) => `Reported as done: ${text}`),
    ...open.map((text) => `Reported as open: ${text}`),
    ...(REPORTED.has(next['basis']) ? [`Reported as next: ${String(next['text'])}`] : []),
    ...(next['basis'] === 'report' ? textsOf(evidence['last_messages']).slice(0, 1) : []).map(
      (text) => `Reported last: ${text}`,
    ),
  ];
  return {
    ...state,
    answer: [state['answer'], ...(lines.length > 0 ? lines : ['No work was reported in this session.'])].join(
      '\n',
    ),
    done,
    open,
  };
}

function textsOf(facts: unknown): string[] {
  const listed: unknown[] = Array.isArray(facts) ? facts.slice(-FACTS_TOLD) : [];
  return listed.map((fact) => String(asObject(fact)['text']));
}

function answerIn({ messages }: JsonObject): string {
  const last = asObject(Array.isArray(messages) ? messages.at(-1) : undefined);
  const parts: unknown[] = Array.isArray(last['parts']) ? last['parts'] : [];
  return parts
    .map((part) => asObject(part)['text'])
    .filter((text) => typeof text === 'string')
    .join('\n');
}
