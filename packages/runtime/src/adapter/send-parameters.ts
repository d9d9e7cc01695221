import type { Message, SendMessageConfiguration, SendMessageRequest } from '@holdword/protocol';
import { decodeRequest, sendMessageRequestSchema } from '@holdword/protocol/internal';
import { newId } from '../engine/new-id.ts';
import { withBearerToken } from './push-config.ts';

/** A message to an agent: a text, or the parameters of A2A's SendMessage. Role and id of the message are optional. */
export type SendParameters =
  | string
  | (Omit<SendMessageRequest, 'message'> & {
      message: Omit<Message, 'role' | 'messageId'> & Partial<Pick<Message, 'role' | 'messageId'>>;
    });

/** Converts them to a request. Rejects what A2A rejects. */
export function sendRequest(
  parameters: SendParameters,
  defaults: { contextId: string | undefined; returnImmediately: boolean },
): SendMessageRequest {
  const given = typeof parameters === 'string' ? { message: { parts: [{ text: parameters }] } } : parameters;
  const { message, configuration, ...rest } = given;
  const isNew = !message.taskId && !message.contextId;
  return decodeRequest(sendMessageRequestSchema, {
    ...rest,
    message: {
      role: 'ROLE_USER',
      messageId: newId(),
      ...message,
      ...(isNew && defaults.contextId !== undefined && { contextId: defaults.contextId }),
    },
    configuration: withToken({ returnImmediately: defaults.returnImmediately, ...configuration }),
  });
}

function withToken(configuration: SendMessageConfiguration): SendMessageConfiguration {
  const { taskPushNotificationConfig: push } = configuration;
  return push === undefined
    ? configuration
    : { ...configuration, taskPushNotificationConfig: withBearerToken(push) };
}
