import { UsageError } from '../usage-error.ts';

const MILLISECONDS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads `90d`, `12h`, `30m` or `45s`; `option` is named in the error. */
export function parseDuration(text: string, option: string): number {
  const match = /^(\d{1,6})([smhd])$/.exec(text);
  const unit = MILLISECONDS[match?.[2] ?? ''];
  if (match === null || unit === undefined) {
    throw new UsageError(`${option}: expected a duration such as 90d, 12h, 30m or 45s, found "${text}".`);
  }
  return Number(match[1]) * unit;
}
