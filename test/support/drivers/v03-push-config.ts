import type { JsonObject } from '@holdword/protocol';
import { asObject, asText, compact, isObject } from './json-objects.ts';

/** A push configuration of A2A 0.3, the same in all three bindings: it has a list of schemes where 1.0 has one. */
export function corePushConfigToV03({ id, url, token, authentication }: JsonObject): JsonObject {
  return compact({
    id,
    url,
    token,
    authentication: isObject(authentication)
      ? compact({ schemes: [authentication['scheme']], credentials: authentication['credentials'] })
      : undefined,
  });
}

/** A response of 0.3; protobuf writes missing strings as empty ones. */
export function v03PushConfigToCore(value: unknown): JsonObject {
  const { taskId, name, pushNotificationConfig } = asObject(value);
  const { id, url, token, authentication } = asObject(pushNotificationConfig);
  const schemes = isObject(authentication) ? authentication['schemes'] : undefined;
  const credentials = isObject(authentication) ? authentication['credentials'] : undefined;
  return withoutEmpty({
    taskId: taskId ?? asText(name).split('/')[1],
    id,
    url,
    token,
    authentication: Array.isArray(schemes) ? withoutEmpty({ scheme: schemes[0], credentials }) : undefined,
  });
}

/** A list is an array in JSON-RPC and a paged message elsewhere. */
export function v03PushConfigsToCore(value: unknown): JsonObject {
  const configs = Array.isArray(value) ? value : asObject(value)['configs'];
  return { configs: Array.isArray(configs) ? configs.map(v03PushConfigToCore) : [] };
}

function withoutEmpty(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined && value !== ''),
  );
}
