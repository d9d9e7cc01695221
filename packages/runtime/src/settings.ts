import { z } from 'zod';

/**
 * What a schema does not say about a setting. Its meaning is the schema's description, its default the schema's default.
 */
export interface SettingDetails {
  /** The default in words, where it depends on something or is more than a value. */
  readonly defaultText?: string;
  /** Whether a value is a path. Paths are relative to the folder of the file, or of the process, that they come from. */
  readonly isPath?: (value: string) => boolean;
}

/** The details of settings, by their schemas: `path.optional().register(settings, { defaultText: 'none' })`. */
export const settings = z.registry<SettingDetails>();

/** The details of a setting, also if its schema has become optional since or has got a default. */
export function settingDetails(schema: z.core.$ZodType): SettingDetails {
  const inner = unwrap(schema);
  return { ...(inner && settingDetails(inner)), ...settings.get(schema) };
}

/** The schema that an optional one, or one with a default, is made from. Undefined for others. */
export function unwrap(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  return schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
    ? schema.unwrap()
    : undefined;
}

function nonEmpty() {
  return z.string({ error: 'expected a string' }).min(1, 'expected a non-empty string');
}

export const text = nonEmpty();

export const path = nonEmpty().register(settings, { isPath: () => true });

export const flag = z.boolean({ error: 'expected true or false' });

export function integer(what: string, smallest: number, largest: number) {
  const error = `expected ${what} from ${smallest} to ${largest}`;
  return z.int({ error }).min(smallest, error).max(largest, error);
}

export function listOf<Item extends z.ZodType>(item: Item) {
  return z.array(item, { error: 'expected an array' });
}

/** Every origin, which an operator must ask for. */
export const ANY_ORIGIN = '*';

/** The origin of web pages as browsers send it. Pages without one of their own send `null`, which could be anybody's. */
export const origin = text.refine((value) => value === ANY_ORIGIN || isOrigin(value), {
  error: 'expected an origin such as https://app.example, without a path, or *',
});

function isOrigin(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  // A wildcard in a host name would match nothing.
  return isWeb && url.origin === value && !value.includes('*');
}
