import { trimEndOf } from '@holdword/protocol/internal';
import { settingDetails, settings, unwrap } from '@holdword/runtime/internal/settings';
import { z } from 'zod';
import type { OptionDescription } from '../command-line/command.ts';
import { configSchema, givenConfigSchema, type Config } from './config-schema.ts';
import { commandLine, type CommandLineDetails } from './setting-parts.ts';

/** A setting in words, for the help and the reference. */
export interface SettingDescription {
  /** In the configuration file, for example `limits.bodyBytes`. */
  readonly path: string;
  readonly description: string;
  /** Undefined if there is none. */
  readonly default: string | undefined;
  /** Which values are valid, if the type does not say it: numbers from and to, or names. */
  readonly values: string | undefined;
  /** Absent for settings that only the file can give. */
  readonly commandLine: CommandLineDetails | undefined;
}

/** All settings in the order of their definition, with those inside objects in place of the objects. */
export function describeSettings(schema: z.core.$ZodType = configSchema, path = ''): SettingDescription[] {
  const { shape } = objectIn(schema) ?? {};
  if (shape !== undefined) {
    return Object.entries(shape).flatMap(([name, each]) =>
      describeSettings(each, path === '' ? name : `${path}.${name}`),
    );
  }
  return [
    {
      path,
      description: descriptionOf(schema),
      default: defaultText(schema, path),
      values: validValues(schema, path),
      commandLine: commandLine.get(schema),
    },
  ];
}

/** A setting that the command line and the environment can give. */
export interface CommandLineSetting {
  readonly path: readonly string[];
  readonly schema: z.core.$ZodType;
  readonly details: CommandLineDetails;
}

export function commandLineSettings(
  schema: z.core.$ZodType = configSchema,
  path: readonly string[] = [],
): CommandLineSetting[] {
  const details = commandLine.get(schema);
  if (details !== undefined) return [{ path, schema, details }];
  const { shape = {} } = objectIn(schema) ?? {};
  return Object.entries(shape).flatMap(([name, each]) => commandLineSettings(each, [...path, name]));
}

/** The command-line options for these settings, or for all that have one. A command can have defaults of its own. */
export function settingOptions(
  names?: readonly (keyof Config)[],
  ownDefaults: Partial<Record<keyof Config, string>> = {},
): Record<string, OptionDescription> {
  const own: Readonly<Record<string, string>> = ownDefaults;
  const wanted: readonly string[] | undefined = names;
  return Object.fromEntries(
    describeSettings()
      .filter(({ path }) => wanted?.includes(path) ?? true)
      .flatMap(({ path, description, default: usual, commandLine: details }) => {
        if (details === undefined) return [];
        const { option, value, environment } = details;
        const isSwitch = value === undefined;
        // A switch is off unless it is given, or says that it is on.
        const fallback = isSwitch && usual !== 'true' ? undefined : (own[path] ?? usual);
        const text = description.replace(/\.$/, '');
        return [[option, { value, environment, description: text, default: fallback, negatable: isSwitch }]];
      }),
  );
}

/** The JSON schema for editors, published as holdword.config.schema.json. Defaults in words are part of the descriptions. */
export function configJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(givenConfigSchema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      const words = settings.get(zodSchema)?.defaultText;
      if (words !== undefined) jsonSchema.description = `${jsonSchema.description} Default: ${words}.`;
    },
  });
  return { ...schema, title: 'Holdword configuration' };
}

/** The valid keys of the object at `path`, for example `['limits']`. */
export function validNamesAt(path: readonly PropertyKey[]): string[] {
  let schema: z.core.$ZodType | undefined = configSchema;
  for (const step of path) schema = schema && objectIn(schema)?.shape[String(step)];
  return Object.keys((schema && objectIn(schema)?.shape) ?? {});
}

/** The object that a schema is, apart from being optional or having a default. */
function objectIn(schema: z.core.$ZodType): z.ZodObject | undefined {
  if (schema instanceof z.ZodObject) return schema;
  const inner = unwrap(schema);
  return inner && objectIn(inner);
}

function descriptionOf(schema: z.core.$ZodType): string {
  const inner = unwrap(schema);
  return z.globalRegistry.get(schema)?.description ?? (inner && descriptionOf(inner)) ?? '';
}

function defaultText(schema: z.core.$ZodType, path: string): string | undefined {
  const { defaultText: words } = settingDetails(schema);
  if (words !== undefined) return words;
  const value = defaultValue(schema);
  return value === undefined ? undefined : rendered(path, value);
}

function validValues(schema: z.core.$ZodType, path: string): string | undefined {
  if (schema instanceof z.ZodEnum) return schema.options.join(', ');
  if (schema instanceof z.ZodLiteral) return [...schema.values].join(', ');
  if (schema instanceof z.ZodUnion) {
    const each = schema.options.map((option) => validValues(option, path));
    return each.includes(undefined) ? undefined : each.join(', or ');
  }
  if (schema instanceof z.ZodNumber) {
    const { minValue, maxValue } = schema;
    const most =
      maxValue === null || maxValue >= Number.MAX_SAFE_INTEGER ? 'or more' : `to ${rendered(path, maxValue)}`;
    return minValue === null || minValue <= Number.MIN_SAFE_INTEGER
      ? undefined
      : `${rendered(path, minValue)} ${most}`;
  }
  const inner = unwrap(schema);
  return inner && validValues(inner, path);
}

function defaultValue(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodDefault) return schema.def.defaultValue;
  const inner = unwrap(schema);
  return inner && defaultValue(inner);
}

type Units = Readonly<Record<string, number>>;

const SIZES: Units = { GiB: 1024 ** 3, MiB: 1024 ** 2, KiB: 1024 };
const TIMES: Units = { days: 86_400, hours: 3_600, minutes: 60 };

/** A value as it is written in the file, with large sizes and times in larger units as well: `65536 (64 KiB)`. */
function rendered(path: string, value: unknown): string {
  if (Array.isArray(value) && value.length === 0) return 'none';
  if (typeof value !== 'number') return String(value);
  const units: Units = path.endsWith('Bytes')
    ? SIZES
    : path.endsWith('Seconds') && value >= 3_600
      ? TIMES
      : {};
  const unit = Object.entries(units).find(([, size]) => value >= size && value % size === 0);
  if (unit === undefined) return String(value);
  const many = value / unit[1];
  return `${value} (${many} ${many === 1 ? trimEndOf(unit[0], 's') : unit[0]})`;
}
