/** The reference of the hub: its methods from their definitions, their results from real answers, and its errors. */
import type { JsonObject } from '@holdword/protocol';
import { HUB_ERROR_CODES, type HubErrorCode } from '../../packages/hub/src/wire/hub-error.ts';
import { readHub } from './hub-answers.ts';
import { table } from './table.ts';

const { hub, answers } = await readHub();

export const HUB_SECTIONS: Readonly<Record<string, () => string>> = {
  'hub-methods': () => hub.methods.toSorted(byName).map(methodSection).join('\n\n'),
  'hub-packet': () => fieldTable('handoff_packet', object(answers.get('message/send')?.['handoff_packet'])),
  'hub-errors': () =>
    table(
      ['Code', 'JSON-RPC', 'HTTP', 'Meaning', 'What to do'],
      Object.entries(HUB_ERROR_CODES).map(([code, { rpc, http }]) => [
        `\`${code}\``,
        String(rpc),
        String(http),
        ...ERRORS[code as HubErrorCode],
      ]),
    ),
};

/** What each error means, and what to do about it. */
const ERRORS: Readonly<Record<HubErrorCode, readonly [string, string]>> = {
  'DELX-A2A-1000': ['The body is not JSON.', 'Send one JSON object in UTF-8.'],
  'DELX-A2A-1001': [
    'The body is JSON, but not a JSON-RPC 2.0 request; batches are not supported.',
    'Send `jsonrpc`, `id`, `method` and `params`.',
  ],
  'DELX-A2A-1002': [
    'There is no such method.',
    'Call `methods/list`; `hint` names the method that you may have meant.',
  ],
  'DELX-A2A-1004': [
    'A parameter or the header `x-delx-session-id` has a wrong value.',
    '`details.field` names it, the message what was expected.',
  ],
  'DELX-A2A-1005': [
    'The request names no agent.',
    'Register, and send `x-delx-agent-id` and `x-delx-agent-token` with every request.',
  ],
  'DELX-A2A-1010': ['`task_id` is missing.', 'Send the `id` of an earlier answer.'],
  'DELX-A2A-1011': [
    'There is no such task, hand-off or agent, or it belongs to another.',
    'Check the id. `handoff/list` shows the hand-offs that you can see.',
  ],
  'DELX-A2A-1012': ['The task has ended and cannot be canceled.', 'Read its answer with `tasks/get`.'],
  'DELX-A2A-1013': ['The task is already canceled.', 'Nothing.'],
  'DELX-A2A-1099': [
    'The request is refused; `details.reason` says why.',
    'See the reasons below. With HTTP 429, wait as long as `Retry-After` says.',
  ],
  'DELX-A2A-1401': [
    'The agent token is missing or wrong, the agent is blocked or deleted, or registering needs a key.',
    '`details.reason` says which. An operator can replace a lost token.',
  ],
  'DELX-A2A-1500': [
    'The hub failed. Its log has the reason; the answer does not.',
    'Try again, with the same `Idempotency-Key` if it was a message.',
  ],
};

const TEXT = 'string';
const FLAG = 'boolean';
const NUMBER = 'number';

/** What each parameter is. One that a method takes in its own way stands under the method's name as well. */
const PARAMETERS: Readonly<Record<string, readonly [type: string, meaning: string]>> = {
  agent_id: [TEXT, 'The agent: 1 to 96 letters, digits, `_`, `.` or `-`. The header `x-delx-agent-id` wins.'],
  'agents/block agent_id': [TEXT, 'The agent to block.'],
  'agents/unblock agent_id': [TEXT, 'The agent.'],
  'agents/delete agent_id': [TEXT, 'The agent to delete.'],
  agent_name: [TEXT, 'A name to show. Default: the id.'],
  source: [TEXT, 'Where the agent comes from; also the header `x-delx-source`.'],
  context_id: [
    TEXT,
    'The id of a session, or a name of your own for one: up to 120 letters, digits, `_`, `.`, `:` or `-`.',
  ],
  controller_id: [
    TEXT,
    'The agent that looks after this one. It counts once it is [proved](../guides/hub.md#who-may-do-what).',
  ],
  ref_agent_id: [TEXT, 'The agent that referred this one; kept and shown.'],
  referral_channel: [TEXT, 'How it was referred; kept and shown.'],
  skills: ['list of strings', 'What the agent can do, for hand-offs with `to_skill`. At most 32.'],
  rotate_token: [FLAG, '`true` replaces the token. The old one stops working.'],
  include_token: [FLAG, '`false` leaves a new token out of the answer.'],
  new_session: [
    FLAG,
    '`true` starts a session next to those that are open. Not together with the id of a session.',
  ],
  metadata: ['object', 'The same ids, for clients that put them here.'],
  configuration: [
    'object',
    '`sessionId`, `contextId`, `agentName`, `blocking`, for clients that put them here.',
  ],
  message: [
    'object or string',
    'The message: `{"role": "user", "parts": [{"kind": "text", "text": "…"}]}`, or its text.',
  ],
  mode: [
    TEXT,
    'The tone of the answer: `auto`, `neutral`, `strict_neutral`, `ops`, `strict_ops`, `heartbeat`, `agent`, `compact`.',
  ],
  profile: [TEXT, 'Which fields the answer has: `full`, `agent`, `minimal`, `legacy`.'],
  response_mode: [TEXT, '`standard` or `model_safe`; repeated in the packet.'],
  minimal_response: [FLAG, '`true`: only what a polling loop needs.'],
  include_artifacts: [FLAG, '`false` leaves `artifacts` out.'],
  include_nudge: [FLAG, '`false` leaves `nudge` out.'],
  embed_tool_schemas: [TEXT, '`compact` or `full`: the MCP tools in the first artifact. Default: `off`.'],
  legacy_contract: [FLAG, '`true`: as `profile: "legacy"`.'],
  session_id: [TEXT, 'The session (a UUID). The header `x-delx-session-id` wins.'],
  'handoff/offer session_id': [TEXT, 'Looks for the task only in this session.'],
  task_id: [TEXT, 'The task.'],
  'message/send task_id': [TEXT, 'The task that the message continues. Default: a new one.'],
  'handoff/offer task_id': [TEXT, 'The task to offer. Default: the newest that has not ended.'],
  blocking: [FLAG, '`false`: do not wait for the answer of the agent. Default: `true`.'],
  packet: [TEXT, '`handoff_packet`: adds the packet.'],
  response_contract: [TEXT, 'The same as `packet`.'],
  handoff: [FLAG, '`true` is the same as `packet`.'],
  handoff_packet: [FLAG, '`true` is the same as `packet`.'],
  include_handoff: [FLAG, '`true` is the same as `packet`.'],
  include_handoff_packet: [FLAG, '`true` is the same as `packet`.'],
  handoff_id: [TEXT, 'The hand-off.'],
  'message/send handoff_id': [TEXT, 'The hand-off whose task the message continues, with `lease_token`.'],
  lease_token: [TEXT, 'The token that `handoff/claim` returned.'],
  to_agent_id: [TEXT, 'The agent that may claim the task. Default: any agent of the same controller.'],
  to_skill: [TEXT, 'Agents of the same controller with this skill may claim it.'],
  to_unregistered: [FLAG, '`true` allows a `to_agent_id` that nobody has registered yet.'],
  note: [TEXT, 'A note to the successor, up to 2000 characters.'],
  reason: [TEXT, 'Why, up to 500 characters; shown to the owner.'],
  expires_in_seconds: [NUMBER, 'How long the task can be claimed: 10 to 604800. Default: 86400.'],
  lease_seconds: [
    NUMBER,
    'How long a successor holds the task after its last sign of work: 10 to 86400. Default: 600.',
  ],
  filter: [TEXT, '`all`, `claimable`, `held` or `own`. Default: `all`.'],
  limit: [NUMBER, 'How many to list: 1 to 100. Default: 50.'],
  cursor: [TEXT, '`next_cursor` of the page before.'],
  after: [TEXT, '`next_after` of the page before.'],
  errors_last_hour: [NUMBER, 'Errors in the last hour.'],
  latency_ms_p95: [NUMBER, '95th percentile of the latency, in milliseconds.'],
  queue_depth: [NUMBER, 'Items that wait in the queue.'],
  cadence_seconds: [
    NUMBER,
    'How often the agent will give a sign of life: 5 to 86400. `null` takes it back.',
  ],
  recorded_at: [TEXT, 'The time of a heartbeat that is recorded already; it is not counted again.'],
};

/** What each field of an answer is. One that a method has in its own way stands under the method's name as well. */
const FIELDS: Readonly<Record<string, string>> = {
  status: 'The status of the task: `state`, `timestamp`, and in short profiles the `message` of the agent.',
  'agents/register status': 'Always `registered`.',
  'heartbeat/bundle status': 'Always `{ state: "completed", timestamp }`, with the time of the answer.',
  'handoff status': '`offered`, `claimed`, `acknowledged`, `withdrawn`, `declined`, `finished` or `expired`.',
  'agents/block status': 'Always `blocked`.',
  'agents/unblock status': 'Always `active`.',
  'agents/delete status': 'Always `deleted`.',
  blocked_at: 'When the agent was blocked; `null` if it is not.',
  deleted_at: 'When the agent was deleted; `null` if it is not.',
  reason: 'The reason that was given, or `null`.',
  ended_handoffs: 'The hand-offs that ended with it.',
  agent_id: 'The agent.',
  'handoff agent_id': 'The owner of the task.',
  'handoff_packet agent_id': 'The agent whose session it is.',
  agent_name: 'Its name.',
  identity_mode: '`stable_declared`, or `ephemeral_hospitality` if the hub generated the id.',
  ephemeral_identity: 'Whether the hub generated the id.',
  persisted: 'Whether the agent and its session are stored.',
  session_id: 'The session. Send it with the next request.',
  reused_existing_session: 'Whether the session existed before.',
  new_agent: 'Whether this request registered the agent.',
  first_seen_at: 'When the agent registered.',
  ref_agent_id: 'As given.',
  referral_channel: 'As given.',
  context_id: 'The id of the session, or your own name for it.',
  controller_id: 'The controller; `null` without one.',
  next_action: 'What to do next, in a sentence.',
  next_actions: 'The next action, and what may follow it.',
  mcp_endpoint: 'The address of the MCP tools.',
  mcp_ready: 'Whether the session can be used over MCP: always `true`.',
  growth: 'For clients of the hosted service.',
  referral_program: 'For clients of the hosted service.',
  registration: 'The agent in short: `agent_id`, `registered`, `newly_registered`, `mode`.',
  session_persistence: 'How to send the session with the next request, for each place.',
  session_resolution:
    '`source`: where the session was found; `value`: what stood there; `precedence`: the order.',
  session_precedence: 'The places of a session, in their order.',
  identity_auth: 'The token, once, and how to send it.',
  'methods/list identity_auth': 'The headers that identify an agent.',
  identity_fallback: '`ephemeral_hospitality` if the hub generated the id, otherwise `null`.',
  identity_notice: 'A warning about an id that the hub generated, otherwise `null`.',
  controller_binding: 'Whether the controller is proved, and how to prove it.',
  handed_over: 'Your tasks that others offered or claimed; absent if there are none.',
  links: 'The addresses of the hub.',
  id: 'The id of the task.',
  response_profile: 'The profile of this answer.',
  handoff_packet: 'The [packet](#the-packet), if it was asked for.',
  handoff: 'The hand-off of the task, as in `handoff/get`.',
  canonical_agent_id: 'The agent.',
  nudge: 'A reminder, or `null`.',
  session_started_at: 'When the session began.',
  session_expires_at: 'When it expires, unless it is used before.',
  session_age_seconds: 'How old it is.',
  session_age_thresholds_seconds: 'The ages at which to act: `warmup`, `reengage`, `summary`, `close`.',
  created_at: 'When the task began.',
  'handoff created_at': 'When the offer was made.',
  completed_at: 'When it ended; `null` before.',
  response_contract_version: '`v2`; `v1` with `legacy_contract`.',
  processing_ms: 'How long the hub took.',
  usage_estimate: 'Characters in and out, and a rough number of tokens.',
  impact_request: 'What to report next.',
  heartbeat_recommendation: 'When to send the next heartbeat, and why.',
  recommended_cadence: 'How often to report: `seconds` and the reason.',
  messages: 'What the agent answered.',
  artifacts: 'What the agent made; in `message/send` the first one is of the hub.',
  request_warnings: 'Parameters that had no effect; absent without any.',
  health: '`steady`, `incident` or `missing`.',
  signs: 'The symptoms in the figures.',
  watch: 'What the hub expects: `cadence_seconds`, its `source`, and `missing_at`.',
  trace_id: 'Always `null` here.',
  last_successful_tool: 'Always `null` here.',
  last_blocker: 'Always `null` here.',
  suggested_next_call: 'The request to make next.',
  bundle: 'A `tools/batch` request for MCP, ready to send.',
  handoff_id: 'The id of the hand-off.',
  kind: '`task`, or `report` if it is about reported work.',
  task_id: 'The task that is offered.',
  continued_as: 'The task that continues it, if it had failed; otherwise `null`.',
  offered_by: 'The agent, its controller, or `hub`.',
  offered_to: '`agent_id`, `skill`, or `anyone_of` the controller.',
  note: 'The note of the offer, or `null`.',
  expires_at: 'When the offer ends.',
  lease_seconds: 'How long a lease lasts after the last sign of work.',
  lease: 'Who holds the task, and until when; `null` if nobody does.',
  may_claim: 'Whether it is offered to you.',
  refusals: 'Who was late, declined, released or lost it, and why. Only for the owner and its controller.',
  refusal_count: 'How many there were in all.',
  lease_token: 'Send it with everything you do for the task. It is shown once.',
  how: 'The requests with which to continue, acknowledge, cancel or give back.',
  handoffs: 'The hand-offs, each as in `handoff/get`.',
  next_cursor: 'For the next page; `null` on the last one.',
  agents: 'The agents: names, health, figures, sessions and open tasks.',
  next_after: 'For the next page; `null` on the last one.',
  open_handoffs: 'The open hand-offs of these agents.',
  name: 'Always `holdword-hub`.',
  version: 'The version of the contract.',
  endpoint: 'The address of the methods.',
  methods: 'Their names.',
  method_specs: 'For each: `description`, `required`, `recommended`, `accepts`.',
  access: 'Who may register, and the limits.',
  philosophy: 'For clients of the hosted service.',
  discovery: 'The addresses of the hub.',
  packet_type: 'Always `witness_handoff`.',
  packet_version: 'Always `witness_handoff.v1`.',
  topic: 'The first line of the request or of the last report.',
  next_agent_should_remember: 'What is asked, done, decided, open, unanswered and made.',
  risk_to_watch: 'What to be careful about.',
  exact_next_action: 'What to do next, in the words of the report.',
  continuity_note: 'The task, its state, and where the facts come from.',
  handoff_confidence: '`high`, `medium` or `low`; `evidence.confidence.rests_on` gives the reasons.',
  response_mode: 'As asked for.',
  evidence: 'The facts, each with its [source](../guides/hub.md#ask-for-a-packet); `null` without any work.',
  earlier_tasks: 'The other tasks of the session, in short.',
  written_by: 'Who wrote the packet, if [a model](../guides/hub.md#let-a-model-write-it) is configured.',
};

interface Named {
  readonly name: string;
}

function byName(one: Named, other: Named): number {
  return one.name < other.name ? -1 : 1;
}

function methodSection({ name, spec }: (typeof hub.methods)[number]): string {
  const answer = answers.get(name);
  if (answer === undefined) throw new Error(`Call ${name} in hub-answers.ts, to describe its result.`);
  const parameters = spec.accepts.map((parameter) => {
    const known = PARAMETERS[`${name} ${parameter}`] ?? PARAMETERS[parameter];
    if (known === undefined) throw new Error(`Describe the parameter ${parameter} of ${name}.`);
    const [type, meaning] = known;
    const use = spec.required.includes(parameter) ? 'required' : '';
    return [`\`${parameter}\``, type, use, meaning];
  });
  return [
    `### ${name}`,
    spec.description,
    parameters.length === 0
      ? 'It takes no parameters.'
      : table(['Parameter', 'Type', '', 'Meaning'], parameters),
    fieldTable(name, answer),
  ].join('\n\n');
}

function fieldTable(owner: string, answer: JsonObject): string {
  const kind = owner.startsWith('handoff/') ? 'handoff' : owner;
  const rows = Object.keys(answer).map((field) => {
    const meaning = FIELDS[`${owner} ${field}`] ?? FIELDS[`${kind} ${field}`] ?? FIELDS[field];
    if (meaning === undefined) throw new Error(`Describe the field ${field} of the answer of ${owner}.`);
    return [`\`${field}\``, meaning];
  });
  return table(['Field of the result', 'Meaning'], rows);
}

function object(value: unknown): JsonObject {
  if (typeof value !== 'object' || value === null) throw new Error('Expected an object.');
  return value as JsonObject;
}
