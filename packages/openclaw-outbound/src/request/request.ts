import { TRANSPORTS } from '../config.ts';
import type { Action } from '../contract.ts';

const ACTIONS: readonly Action[] = ['list_targets', 'send', 'watch', 'status', 'cancel'];

export type JsonSchema = Readonly<Record<string, unknown>>;

const TASK_HANDLE = { type: 'string', pattern: '^rah_[A-Za-z0-9-]+$' };
/** Schemes are case-insensitive; a JSON schema has no flag for that. */
const WEB_URL = { type: 'string', format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' };
const TEXT = { type: 'string', minLength: 1 };
const OBJECT = { type: 'object' };
const FLAG = { type: 'boolean' };

function closed(properties: JsonSchema, required: readonly string[] = []): JsonSchema {
  return { type: 'object', additionalProperties: false, required, properties };
}

function list(items: JsonSchema, minItems = 1): JsonSchema {
  return { type: 'array', items, minItems };
}

const PART: JsonSchema = {
  type: 'object',
  discriminator: { propertyName: 'kind' },
  oneOf: [
    closed({ kind: { type: 'string', const: 'text' }, text: { type: 'string' }, metadata: OBJECT }, [
      'kind',
      'text',
    ]),
    {
      ...closed(
        {
          kind: { type: 'string', const: 'file' },
          uri: { type: 'string', format: 'uri' },
          bytes: { ...TEXT, description: 'Base64-encoded content.' },
          name: TEXT,
          mime_type: TEXT,
          metadata: OBJECT,
        },
        ['kind'],
      ),
      anyOf: [{ required: ['uri'] }, { required: ['bytes'] }],
    },
    closed({ kind: { type: 'string', const: 'data' }, data: OBJECT, metadata: OBJECT }, ['kind', 'data']),
  ],
};

const CONTINUATION: JsonSchema = {
  ...closed(
    {
      target: closed(
        {
          target_url: WEB_URL,
          card_path: TEXT,
          preferred_transports: list({ type: 'string', enum: TRANSPORTS }),
          target_alias: TEXT,
          signature: TEXT,
        },
        ['target_url', 'card_path', 'preferred_transports'],
      ),
      task: closed(
        {
          task_handle: TASK_HANDLE,
          task_id: TEXT,
          status: TEXT,
          can_resume_send: FLAG,
          can_send: FLAG,
          can_status: FLAG,
          can_cancel: FLAG,
          can_watch: FLAG,
        },
        ['task_id'],
      ),
      conversation: closed({ context_id: TEXT, can_send: { type: 'boolean', const: true } }, ['context_id']),
    },
    ['target'],
  ),
  description: 'summary.continuation from an earlier result, unchanged.',
};

const PUSH_NOTIFICATION_CONFIG = closed(
  {
    url: { type: 'string', format: 'uri' },
    id: TEXT,
    token: TEXT,
    authentication: closed({ schemes: list(TEXT), credentials: TEXT }, ['schemes']),
  },
  ['url'],
);

const ACTION_DESCRIPTION =
  'list_targets lists the agents; send sends a message; watch, status and cancel act on a task.';

/** The fields of a request. Aliases are checked when the target is looked up, which can say what is near. */
const FIELDS = {
  action: { type: 'string', enum: ACTIONS, description: ACTION_DESCRIPTION },
  target_alias: { ...TEXT, description: 'The agent, by its configured alias.' },
  target_aliases: {
    ...list(TEXT),
    uniqueItems: true,
    description: 'send: several agents in parallel, by their aliases.',
  },
  target_url: { ...WEB_URL, description: 'The agent, by its base URL; prefer target_alias.' },
  parts: { ...list(PART), description: 'send: the message content.' },
  message_id: {
    ...TEXT,
    description: 'send: omit it. An id that was used before makes agents ignore the message.',
  },
  task_handle: { ...TASK_HANDLE, description: 'The task, by the handle from an earlier result.' },
  task_id: { ...TEXT, description: 'The task, by its id, with its target; prefer continuation.' },
  context_id: { ...TEXT, description: 'send: the conversation to continue; prefer continuation.' },
  continuation: CONTINUATION,
  reference_task_ids: { ...list(TEXT), description: 'send: ids of related tasks, which are not continued.' },
  task_requirement: {
    type: 'string',
    enum: ['optional', 'required'],
    description:
      'send: "required" returns a task at once, or fails if the agent creates none. Default: optional.',
  },
  follow_updates: { ...FLAG, description: 'send: return the updates as well as the answer. Default: false.' },
  collect: {
    type: 'string',
    enum: ['all', 'first'],
    description: 'send with target_aliases: wait for all answers (default) or for the first good one.',
  },
  wait_for: {
    ...closed(
      {
        task_handles: { ...list(TASK_HANDLE), uniqueItems: true },
        mode: { type: 'string', enum: ['all', 'any'], description: 'Default: all.' },
      },
      ['task_handles'],
    ),
    description: 'watch: wait for all or any of several tasks.',
  },
  accepted_output_modes: { ...list(TEXT, 0), description: 'send: accepted media types, such as text/plain.' },
  blocking: {
    ...FLAG,
    description: 'send: false returns before the agent is done. Omit it to wait for the answer.',
  },
  history_length: {
    type: 'integer',
    minimum: 0,
    description: 'send and status: how many history messages to return.',
  },
  push_notification_config: {
    ...PUSH_NOTIFICATION_CONFIG,
    description: 'send: a webhook of the user that the agent calls with updates.',
  },
  timeout_ms: { type: 'integer', minimum: 1, description: 'Timeout of this call in milliseconds.' },
  service_parameters: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Extra HTTP headers, if the agent needs some. Never credentials.',
  },
  metadata: { ...OBJECT, description: 'send: metadata of the request, for agents that define some.' },
};

/** The JSON schema that requests are checked against. */
export const REQUEST_SCHEMA: JsonSchema = closed(FIELDS, ['action']);

/** A part, described and not enforced. */
const DESCRIBED_PART: JsonSchema = {
  type: 'object',
  properties: {
    kind: { type: 'string', description: 'Required: text, file or data.' },
    text: { type: 'string', description: 'kind=text: the text.' },
    uri: { type: 'string', description: 'kind=file: where the file is; or bytes.' },
    bytes: { type: 'string', description: 'kind=file: Base64-encoded content; or uri.' },
    name: { type: 'string', description: 'kind=file: its name.' },
    mime_type: { type: 'string', description: 'kind=file: its media type.' },
    data: { ...OBJECT, description: 'kind=data: any JSON object.' },
    metadata: OBJECT,
  },
};

/** What the schema for models depends on. */
interface PublishedFacts {
  readonly aliases: readonly string[];
  readonly defaultAlias: string | undefined;
  /** Whether agents that are not configured may be called. */
  readonly allowsUrls: boolean;
  readonly timeoutMs: number;
}

/**
 * The JSON schema for models, with the configured aliases. Hosts reject what violates it before the tool is called, and cannot
 * say more than which rule was violated: aliases, actions, fields and parts are described here, and checked by the tool, whose
 * errors name what is available.
 */
export function publishedSchema({
  aliases,
  defaultAlias,
  allowsUrls,
  timeoutMs,
}: PublishedFacts): JsonSchema {
  const { target_url: url, ...fields } = FIELDS;
  const available = aliases.length === 0 ? '' : ` One of: ${aliases.join(', ')}.`;
  const otherwise = defaultAlias === undefined ? '' : ` Default: ${defaultAlias}.`;
  return {
    type: 'object',
    required: ['action'],
    properties: {
      ...fields,
      // A configured URL is accepted in any case, but an alias says the same.
      ...(allowsUrls && { target_url: url }),
      action: { type: 'string', description: `One of: ${ACTIONS.join(', ')}. ${ACTION_DESCRIPTION}` },
      target_alias: { ...TEXT, description: `${FIELDS.target_alias.description}${available}${otherwise}` },
      parts: {
        type: 'array',
        items: DESCRIBED_PART,
        description: `${FIELDS.parts.description} For example [{"kind":"text","text":"…"}].`,
      },
      timeout_ms: {
        ...FIELDS.timeout_ms,
        description: `${FIELDS.timeout_ms.description} Default: ${timeoutMs}.`,
      },
    },
  };
}
