import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const STAMP = join('node_modules', '.holdword-installed.json');

/** What was installed in a folder the last time; nothing is known of a folder that has no stamp. */
export function readStamp(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, STAMP), 'utf8'));
  } catch {
    return {};
  }
}

export function writeStamp(folder, stamp) {
  writeFileSync(join(folder, STAMP), JSON.stringify(stamp));
}

export function lockHash(folder) {
  return createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
}
