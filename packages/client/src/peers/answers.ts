import {
  A2AError,
  type AgentCard,
  type Artifact,
  type ListTasksResponse,
  type Message,
  type Part,
  type SendMessageResponse,
  type StreamResponse,
  type Task,
  type TaskPushNotificationConfig,
  type TaskStatus,
} from '@holdword/protocol';
import {
  asObject,
  quoteRemoteText,
  safeParse,
  taskStateSchema,
  withoutNulls,
  type ValueKind,
  type Values,
  withRemoteText,
} from '@holdword/protocol/internal';
import { z } from 'zod';
import { foreignUrl, withoutClientNames } from '../basics/client-names.ts';

/*
 * Lenient schemas for agents' responses: ProtoJSON omits default values, so a missing list is an empty list and a part
 * without content is an empty text. Only indispensable fields are required. What only the client may say is removed here, where
 * everything that an agent sends comes through: its names in metadata, and `file:` URLs.
 */

const text = z.string().optional();
const metadata = z.record(z.string(), z.unknown()).transform(withoutClientNames).optional();
const strings = z.array(z.string()).optional();

const part: z.ZodType<Part> = z
  .object({
    text,
    raw: text,
    url: z.string().transform(foreignUrl).optional(),
    data: z.unknown().optional(),
    metadata,
    filename: text,
    mediaType: text,
  })
  .transform((value) => {
    const { text: ownText, raw, url, data } = value;
    const isEmpty = ownText === undefined && raw === undefined && url === undefined && data === undefined;
    return isEmpty ? { ...value, text: '' } : value;
  });

const message: z.ZodType<Message> = z.object({
  messageId: z.string().default(''),
  contextId: text,
  taskId: text,
  role: z.enum(['ROLE_USER', 'ROLE_AGENT']).catch('ROLE_AGENT'),
  parts: z.array(part).default([]),
  metadata,
  extensions: strings,
  referenceTaskIds: strings,
});

const artifact: z.ZodType<Artifact> = z.object({
  artifactId: z.string().default(''),
  name: text,
  description: text,
  parts: z.array(part).default([]),
  metadata,
  extensions: strings,
});

const status: z.ZodType<TaskStatus> = z.object({
  // An unknown state is treated as not ended.
  state: taskStateSchema.catch('TASK_STATE_WORKING'),
  message: message.optional(),
  timestamp: text,
});

/** Agents that write int64 as a number are understood as well; anything else is no generation. */
const generation = z
  .union([z.string(), z.int().transform(String)])
  .optional()
  .catch(undefined);

const task: z.ZodType<Task> = z.object({
  id: z.string().min(1),
  contextId: z.string().default(''),
  status,
  artifacts: z.array(artifact).optional(),
  history: z.array(message).optional(),
  metadata,
  generation,
});

const ids = { taskId: z.string().default(''), contextId: z.string().default('') };

const sendResponse: z.ZodType<SendMessageResponse> = z.union([z.object({ task }), z.object({ message })]);

const streamResponse: z.ZodType<StreamResponse> = z.union([
  z.object({ task }),
  z.object({ message }),
  z.object({ statusUpdate: z.object({ ...ids, status, metadata, generation }) }),
  z.object({
    artifactUpdate: z.object({
      ...ids,
      artifact,
      append: z.boolean().optional(),
      lastChunk: z.boolean().optional(),
      metadata,
      generation,
    }),
  }),
]);

const taskList: z.ZodType<ListTasksResponse> = z.object({
  tasks: z.array(task).default([]),
  nextPageToken: z.string().default(''),
  pageSize: z.number().default(0),
  totalSize: z.number().default(0),
});

const skill = z.object({
  id: z.string().default(''),
  name: z.string().default(''),
  description: z.string().default(''),
  tags: z.array(z.string()).default([]),
  examples: strings,
  inputModes: strings,
  outputModes: strings,
});

const card: z.ZodType<AgentCard> = z.object({
  name: z.string(),
  description: z.string().default(''),
  version: z.string().default(''),
  supportedInterfaces: z.array(
    z.object({
      url: z.string(),
      protocolBinding: z.string().default('JSONRPC'),
      tenant: text,
      protocolVersion: z.string().default('1.0'),
    }),
  ),
  capabilities: z
    .object({
      streaming: z.boolean().optional(),
      pushNotifications: z.boolean().optional(),
      extendedAgentCard: z.boolean().optional(),
      extensions: z
        .array(z.object({ uri: text, description: text, required: z.boolean().optional() }))
        .optional(),
    })
    .default({}),
  defaultInputModes: z.array(z.string()).default([]),
  defaultOutputModes: z.array(z.string()).default([]),
  skills: z.array(skill).default([]),
});

/** Far longer than any id, and short enough for a model, a file name and a log. */
const MAX_ID_LENGTH = 1_000;
const ID_FIELDS = ['id', 'taskId', 'contextId', 'messageId'] as const;

/** Rejects ids that nobody could use later: a task whose id is cut cannot be asked for again. */
function withShortIds<Value>(value: Value): Value {
  const fields = asObject(value);
  for (const holder of [fields, ...Object.values(fields).map(asObject)]) {
    for (const field of ID_FIELDS) {
      const id = holder[field];
      if (typeof id !== 'string' || id.length <= MAX_ID_LENGTH) continue;
      throw new A2AError(
        'INVALID_AGENT_RESPONSE',
        `The agent sent an invalid response: its ${field} has ${id.length} characters, more than ${MAX_ID_LENGTH}. Report this to its operator.`,
      );
    }
  }
  return value;
}

const MAX_PATH_LENGTH = 200;

function reader<Value>(what: string, schema: z.ZodType<Value>): (json: unknown) => Value {
  return (json) => {
    const result = safeParse(schema, withoutNulls(json));
    if (result.success) return withShortIds(result.data);
    const [issue] = result.error.issues;
    const path = issue?.path.join('.') ?? '';
    const failure = new A2AError(
      'INVALID_AGENT_RESPONSE',
      `The agent sent an invalid response: expected ${what}${path === '' ? '' : `, invalid at ${quoteRemoteText(path, MAX_PATH_LENGTH)}`}. Report this to its operator.`,
      { cause: result.error },
    );
    // The agent may have named what is on the path.
    throw path === '' ? failure : withRemoteText(failure);
  };
}

const pushConfig: z.ZodType<TaskPushNotificationConfig> = z.object({
  tenant: text,
  id: text,
  taskId: text,
  url: z.string(),
  token: text,
  authentication: z.object({ scheme: z.string().default(''), credentials: text }).optional(),
});

const pushConfigPage: z.ZodType<Values['pushConfigPage']> = z.object({
  configs: z.array(pushConfig).default([]),
  nextPageToken: z.string().default(''),
});

/**
 * Reads a response by the kind of its value. Each throws an A2AError with the code INVALID_AGENT_RESPONSE if the JSON is
 * invalid.
 */
export const READERS: { readonly [Kind in ValueKind]: (json: unknown) => Values[Kind] } = {
  task: reader('a task', task),
  sendResponse: reader('a task or a message', sendResponse),
  events: reader('an event of a task', streamResponse),
  taskPage: reader('a list of tasks', taskList),
  pushConfig: reader('a push configuration', pushConfig),
  pushConfigPage: reader('a list of push configurations', pushConfigPage),
  /** Ignores security schemes and signatures, which the client does not use. */
  card: reader('an agent card', card),
  nothing: () => {},
};

export const readAgentCard = READERS.card;
