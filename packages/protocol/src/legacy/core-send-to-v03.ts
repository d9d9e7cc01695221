import type { JsonObject } from '../model/json.ts';
import type { SendMessageConfiguration, SendMessageRequest } from '../model/requests.ts';
import { coreMessageToV03 } from './core-event-to-v03.ts';
import { corePushConfigToV03 } from './push-config.ts';
import { withoutAbsent } from './json-fields.ts';

/** The parameters of `message/send` and `message/stream` in A2A 0.3 over JSON-RPC. */
export function coreSendToV03({ message, configuration, metadata }: SendMessageRequest): JsonObject {
  return withoutAbsent({
    message: coreMessageToV03(message),
    configuration: configuration && coreConfigurationToV03(configuration),
    metadata,
  });
}

function coreConfigurationToV03(configuration: SendMessageConfiguration): JsonObject {
  const { acceptedOutputModes, historyLength, returnImmediately, taskPushNotificationConfig } = configuration;
  return withoutAbsent({
    acceptedOutputModes,
    historyLength,
    blocking: returnImmediately === undefined ? undefined : !returnImmediately,
    pushNotificationConfig: taskPushNotificationConfig && corePushConfigToV03(taskPushNotificationConfig),
  });
}
