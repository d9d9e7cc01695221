import { z } from 'zod';
import { decodeRequest } from '../decode-request.ts';
import { isBase64 } from '../model/base64.ts';
import { jsonObjectSchema, type JsonObject } from '../model/json.ts';
import type { OperationName } from '../operation-table.ts';

const id = z.string().min(1);
const historyLength = z.int32().min(0).optional();
const metadata = jsonObjectSchema.optional();

const fileSchema = z
  .looseObject({
    bytes: z.string().refine(isBase64, { message: 'expected base64' }).optional(),
    uri: z.string().min(1).optional(),
    mimeType: z.string().optional(),
    name: z.string().optional(),
  })
  .refine(({ bytes, uri }) => (bytes === undefined) !== (uri === undefined), {
    message: 'expected exactly one of bytes and uri',
  });

const partSchema = z.discriminatedUnion(
  'kind',
  [
    z.looseObject({ kind: z.literal('text'), text: z.string(), metadata }),
    z.looseObject({ kind: z.literal('file'), file: fileSchema, metadata }),
    z.looseObject({ kind: z.literal('data'), data: jsonObjectSchema, metadata }),
  ],
  { error: 'expected text, file or data' },
);

const messageSchema = z.looseObject({
  messageId: id,
  role: z.enum(['user', 'agent']),
  parts: z.array(partSchema).min(1),
  contextId: z.string().optional(),
  taskId: z.string().optional(),
  extensions: z.array(z.string()).optional(),
  referenceTaskIds: z.array(z.string()).optional(),
  metadata,
});

const pushNotificationConfigSchema = z.looseObject({
  url: z.string().min(1),
  id: z.string().optional(),
  token: z.string().optional(),
  authentication: z
    .looseObject({ schemes: z.array(z.string()).min(1), credentials: z.string().optional() })
    .optional(),
});

const sendSchema = z.looseObject({
  message: messageSchema,
  configuration: z
    .looseObject({
      acceptedOutputModes: z.array(z.string()).optional(),
      // The SDK takes a configuration without it for one that does not wait; 0.3 waits unless told otherwise.
      blocking: z.boolean().default(true),
      historyLength,
      pushNotificationConfig: pushNotificationConfigSchema.optional(),
    })
    .optional(),
  metadata,
});

const taskSchema = z.looseObject({ id, metadata });

const SCHEMAS: Record<OperationName, z.ZodType<JsonObject>> = {
  sendMessage: sendSchema,
  sendStreamingMessage: sendSchema,
  getTask: z.looseObject({ id, historyLength, metadata }),
  listTasks: z.looseObject({}),
  cancelTask: taskSchema,
  subscribeToTask: taskSchema,
  createTaskPushNotificationConfig: z.looseObject({
    taskId: id,
    pushNotificationConfig: pushNotificationConfigSchema,
  }),
  getTaskPushNotificationConfig: taskSchema,
  listTaskPushNotificationConfigs: taskSchema,
  deleteTaskPushNotificationConfig: z.looseObject({ id, pushNotificationConfigId: id }),
  getExtendedAgentCard: z.looseObject({}),
};

/**
 * Accepts the params of a 0.3 JSON-RPC call or refuses them as INVALID_PARAMS, naming each wrong field as 0.3 names it.
 * The SDK's translation checks little and answers some mistakes with the text of a TypeError, so nothing goes there
 * unseen.
 */
export function decodeLegacyParams(operation: OperationName, params: unknown): JsonObject {
  return decodeRequest(SCHEMAS[operation], params);
}
