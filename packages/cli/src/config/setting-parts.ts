import { z } from 'zod';

/** What a default can depend on. */
export interface DefaultContext {
  readonly port: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether a person reads the log. */
  readonly errorsAreWatched: boolean;
}

/** How a setting is given outside the configuration file, and its default if that depends on something. */
export interface CommandLineDetails {
  /** The option, without its dashes. */
  readonly option: string;
  /** Stands for the value in the help text; absent for a switch. */
  readonly value?: string;
  readonly environment: string;
  /** Only for settings that the schema requires; `defaultText` says the same in words. */
  readonly defaultFor?: (context: DefaultContext) => unknown;
}

export const commandLine = z.registry<CommandLineDetails>();

export function object<Shape extends z.core.$ZodLooseShape>(shape: Shape, error = 'expected an object') {
  return z.strictObject(shape, { error });
}

export function oneOf<const Names extends readonly string[]>(names: Names) {
  return z.enum(names, { error: `expected one of ${names.join(', ')}` });
}

export const webAddress = z
  .url({ protocol: /^https?$/, error: 'expected an http:// or https:// URL' })
  .refine((url) => !hasCredentials(url), { error: 'expected a URL without user and password' });

/** The card is public, and requests cannot be sent to a URL that contains credentials. */
function hasCredentials(url: string): boolean {
  const { username = '', password = '' } = URL.parse(url) ?? {};
  return username !== '' || password !== '';
}
