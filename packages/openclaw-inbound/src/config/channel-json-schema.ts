import { z } from 'zod';
import { channelSchema } from './channel-schema.ts';

/** The schema of `channels.a2a` as it stands in the plugin's manifest. */
export function channelJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(channelSchema, { io: 'input', target: 'draft-7' });
}

/** The names that are valid inside the object at `path`, for example `['accounts', 'default', 'features']`. */
export function validNamesAt(path: readonly PropertyKey[]): string[] {
  let nodes: unknown[] = [channelJsonSchema()];
  for (const step of path) nodes = nodes.flatMap((node) => below(node, step));
  return [...new Set(nodes.flatMap((node) => Object.keys(objectAt(node, 'properties'))))];
}

/** What a schema says of one of its properties, or of all of them; of each alternative where there are some. */
function below(node: unknown, step: PropertyKey): unknown[] {
  const found =
    Reflect.get(objectAt(node, 'properties'), step) ?? Reflect.get(asObject(node), 'additionalProperties');
  const items = typeof step === 'number' ? Reflect.get(asObject(node), 'items') : undefined;
  const next = asObject(items ?? found);
  const alternatives: unknown = Reflect.get(next, 'oneOf') ?? Reflect.get(next, 'anyOf');
  return Array.isArray(alternatives) ? alternatives : [next];
}

function objectAt(node: unknown, name: string): object {
  return asObject(Reflect.get(asObject(node), name));
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
