import type { JsonObject } from '../../model/json.ts';
import type { SendMessageRequest } from '../../model/requests.ts';
import { withoutAbsent } from '../json-fields.ts';
import { corePushConfigToV03 } from '../push-config.ts';
import { coreMessageToV03Proto } from './core-content-to-v03-proto.ts';

/** The body of a send in A2A 0.3 over REST. Its proto has no field presence: an omitted flag is false. */
export function coreSendToV03Proto({
  message,
  configuration = {},
  metadata,
}: SendMessageRequest): JsonObject {
  const { acceptedOutputModes, historyLength, returnImmediately, taskPushNotificationConfig } = configuration;
  return withoutAbsent({
    message: coreMessageToV03Proto(message),
    configuration: withoutAbsent({
      acceptedOutputModes,
      historyLength,
      blocking: returnImmediately !== true,
      pushNotification: taskPushNotificationConfig && corePushConfigToV03(taskPushNotificationConfig),
    }),
    metadata,
  });
}
