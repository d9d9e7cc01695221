import type { Message, SendMessageConfiguration, SendMessageRequest } from '@holdword/protocol';
import { decodeRequest, sendMessageRequestSchema } from '@holdword/protocol/internal';
import { newId } from '../engine/new-id.ts';
import { withBearerToken } from './push-config.ts';

/** A message to an agent: its text, or what A2A's SendMessage takes. Role and id of the message may be left out. */
export type SendParameters =
  | string
  | (Omit<SendMessageRequest, 'message'> & {
      message: Omit<Message, 'role' | 'messageId'> & Partial<Pick<Message, 'role' | 'messageId'>>;
    });

/** The request that they stand for. Refuses what A2A would refuse. */
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
