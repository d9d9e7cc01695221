import { z } from 'zod';
import { durationIn } from '../command-line/parse-arguments.ts';
import { UsageError } from '../usage-error.ts';

/**
 * Reads a setting from a text. `source` says in the error where the text comes from: `--port`, `HOLDWORD_PORT`. A setting in
 * seconds may have a unit, such as 2m.
 */
export function readText<Schema extends z.core.$ZodType>(
  schema: Schema,
  given: string,
  source: string,
  isInSeconds = false,
): z.output<Schema> {
  const result = z.safeParse(schema, given);
  if (result.success) return result.data;
  const other = z.safeParse(schema, (isInSeconds ? secondsIn(given) : numberOrFlag(given)) ?? given);
  if (other.success) return other.data;
  throw new UsageError(`${source}: ${result.error.issues[0]?.message}, found "${hideSecrets(given)}".`);
}

function secondsIn(given: string): number | undefined {
  const milliseconds = durationIn(given);
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}

/** A text can stand for a number, or for true or false. Whether it does is for the schema to say. */
function numberOrFlag(given: string): unknown {
  if (/^\d+$/.test(given)) return Number(given);
  return { true: true, false: false }[given];
}

/** Masks the user and password of URLs in a text. */
export function hideSecrets(given: string): string {
  return given.replaceAll(/:\/\/\S*@/g, '://***@').replaceAll(/([?&]password=)[^&\s"]*/gi, '$1***');
}

/** Whether a URL contains a password. */
export function hasPassword(url: string): boolean {
  return /:\/\/[^/@]*:\S*@|[?&]password=/i.test(url);
}
