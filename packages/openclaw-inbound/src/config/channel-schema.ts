import { asObject } from '@holdword/protocol/internal';
import { flag } from '@holdword/runtime/internal';
import { z } from 'zod';
import { accountSchema, taskStoreSchema } from './account-schema.ts';
import { bundledSchema } from './bundled-channel.ts';

/** `channels.a2a`. */
export const channelSchema = z.strictObject(
  {
    enabled: flag.optional().describe('Turns the channel on. Default: true.'),
    configWrites: flag.optional().describe('Whether OpenClaw may change this section.'),
    accounts: z
      .record(z.string(), accountSchema, { error: 'expected an object of accounts by name' })
      .optional()
      .describe('The A2A endpoints of this gateway, by name.'),
    ...bundledSchema.shape,
  },
  { error: 'expected an object' },
);

/** The JSON schema of `channels.a2a` for the plugin's manifest. */
export function channelJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(channelSchema, {
    io: 'input',
    target: 'draft-7',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === taskStoreSchema) joinKinds(jsonSchema);
    },
  });
}

/**
 * For a kind that does not exist, OpenClaw shows the errors of one alternative, such as a key that another kind has. With the keys of
 * all in one object it names the kind; which keys belong to it is checked when the account is read.
 */
function joinKinds(schema: z.core.JSONSchema.BaseSchema): void {
  const alternatives = schema.oneOf ?? schema.anyOf ?? [];
  delete schema.oneOf;
  delete schema.anyOf;
  const properties = Object.assign({}, ...alternatives.map((each) => each.properties));
  const kinds = alternatives.map((each) => asObject(each.properties?.['kind'])['const']);
  schema.type = 'object';
  schema.properties = { ...properties, kind: { type: 'string', enum: kinds as string[] } };
  schema.required = ['kind'];
  schema.additionalProperties = false;
}

/** The settings of the object at `path`, for example `['accounts', 'default', 'features']`: their JSON schemas by name. */
export function settingsAt(path: readonly PropertyKey[]): Record<string, unknown> {
  let nodes: unknown[] = [channelJsonSchema()];
  for (const step of path) nodes = nodes.flatMap((node) => below(asObject(node), step));
  return Object.assign({}, ...nodes.map((node) => asObject(asObject(node)['properties'])));
}

/** The schemas of a property or item; all alternatives of a union. */
function below(node: Record<string, unknown>, step: PropertyKey): unknown[] {
  const named = asObject(node['properties'])[String(step)] ?? node['additionalProperties'];
  const next = asObject(typeof step === 'number' ? node['items'] : named);
  const alternatives = next['oneOf'] ?? next['anyOf'];
  return Array.isArray(alternatives) ? alternatives : [next];
}
