import { z } from 'zod';
import { configSchema } from './config-schema.ts';

/** The JSON schema for editors, published as holdword.config.schema.json. */
export function configJsonSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(configSchema, { io: 'input' }),
    title: 'Holdword configuration',
  };
}

/** The valid keys of the object at `path`, for example `['limits']`. */
export function validNamesAt(path: readonly PropertyKey[]): string[] {
  let node: unknown = configJsonSchema();
  for (const step of path) node = property(property(node, 'properties'), step);
  const properties = property(node, 'properties');
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

function property(value: unknown, name: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
