import { asObject, type JsonObject } from '../model/json.ts';
import type { TaskPushNotificationConfig } from '../model/requests.ts';
import { withoutAbsent } from './json-fields.ts';

/** Converts a push configuration of 0.3, which is the same over JSON-RPC and REST. */
export function v03PushConfigToCore(value: unknown): JsonObject {
  const { id, url, token, authentication } = asObject(value);
  return withoutAbsent({
    id,
    url,
    token,
    authentication: authentication === undefined ? undefined : v03AuthenticationToCore(authentication),
  });
}

/** 0.3 has a list of schemes, 1.0 has one. */
function v03AuthenticationToCore(value: unknown): unknown {
  const { schemes, credentials } = asObject(value);
  return withoutAbsent({ scheme: Array.isArray(schemes) ? schemes[0] : schemes, credentials });
}

export function corePushConfigToV03({
  id,
  url,
  token,
  authentication,
}: TaskPushNotificationConfig): JsonObject {
  return withoutAbsent({
    id,
    url,
    token,
    authentication:
      authentication &&
      withoutAbsent({ schemes: [authentication.scheme], credentials: authentication.credentials }),
  });
}
