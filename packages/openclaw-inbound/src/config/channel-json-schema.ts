import { z } from 'zod';
import { asObject } from './as-object.ts';
import { channelSchema } from './channel-schema.ts';

/** The JSON schema of `channels.a2a` for the plugin's manifest. */
export function channelJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(channelSchema, { io: 'input', target: 'draft-7' });
}

/** The valid property names of the object at `path`, for example `['accounts', 'default', 'features']`. */
export function validNamesAt(path: readonly PropertyKey[]): string[] {
  let nodes: unknown[] = [channelJsonSchema()];
  for (const step of path) nodes = nodes.flatMap((node) => below(asObject(node), step));
  return [...new Set(nodes.flatMap((node) => Object.keys(asObject(asObject(node)['properties']))))];
}

/** The schemas of a property or item; all alternatives of a union. */
function below(node: Record<string, unknown>, step: PropertyKey): unknown[] {
  const named = asObject(node['properties'])[String(step)] ?? node['additionalProperties'];
  const next = asObject(typeof step === 'number' ? node['items'] : named);
  const alternatives = next['oneOf'] ?? next['anyOf'];
  return Array.isArray(alternatives) ? alternatives : [next];
}
