import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { ROOT } from './entries.ts';

const options = await resolveConfig(join(ROOT, 'package.json'));

/** Formats as `npm run format` does. */
export function formatWith(parser: 'markdown' | 'typescript', text: string): Promise<string> {
  return format(text, { ...options, parser });
}
