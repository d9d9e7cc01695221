import { createHash } from 'node:crypto';

const SAFE = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
/** Device names on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const MAX_LENGTH = 120;
const MAX_HINT_LENGTH = 40;

/**
 * A safe file or folder name for an id from an untrusted source: the id itself if it is harmless, otherwise its readable
 * characters and a digest. Different ids get different names.
 */
export function safeName(id: string): string {
  const harmless = id.length <= MAX_LENGTH && SAFE.test(id) && !id.endsWith('.') && !DEVICE.test(id);
  if (harmless) return id;
  const hint = id.slice(0, MAX_HINT_LENGTH).replaceAll(/[^A-Za-z0-9_-]+/g, '-');
  return `${hint}~${digestOf(id).slice(0, 32)}`;
}

/** The SHA-256 of the UTF-16 code units, so that strings with lone surrogates have different digests. */
export function digestOf(text: string): string {
  return createHash('sha256').update(Buffer.from(text, 'utf16le')).digest('hex');
}
