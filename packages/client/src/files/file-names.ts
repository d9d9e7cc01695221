import mime from 'mime';

/** Characters with a special meaning to file systems or shells, and control characters. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"|?*/\\]+/gu;
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** File systems limit names by bytes, not characters. */
const MAX_NAME_BYTES = 200;
/** Agents write names of any length: what is longer is cut before anything looks at it. */
export const MAX_READ_LENGTH = 1_000;

interface NamedFile {
  readonly name: string | undefined;
  readonly mimeType: string | undefined;
}

/**
 * Unique names for the files of an artifact that are safe on every file system: the agent's name, sanitized, or a number
 * with an extension for the media type.
 */
export function fileNames(files: readonly NamedFile[]): string[] {
  const taken = new Set<string>();
  /** By name, so that many files with the same name do not try all numbers each. */
  const lastCopies = new Map<string, number>();
  return files.map((file, index) => {
    const wanted = safeFileName(file.name) ?? `file-${index + 1}${extensionOf(file.mimeType)}`;
    let copy = lastCopies.get(keyOf(wanted)) ?? 1;
    let name = copy === 1 ? wanted : numbered(wanted, copy);
    for (; taken.has(keyOf(name)); name = numbered(wanted, copy)) copy += 1;
    lastCopies.set(keyOf(wanted), copy);
    taken.add(keyOf(name));
    return name;
  });
}

function safeFileName(name: string | undefined): string | undefined {
  // The end, which has the extension.
  const [last = ''] = (name ?? '').slice(-MAX_READ_LENGTH).split(/[/\\]/).slice(-1);
  const cleaned = last
    .normalize('NFC')
    .replaceAll(UNSAFE, '_')
    .replace(/^[\s.]+/, '')
    .replace(/[\s.]+$/, '');
  if (cleaned === '') return undefined;
  return shortened(DEVICE.test(cleaned) ? `_${cleaned}` : cleaned);
}

/** Shortens a name, but keeps its extension. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const { stem, extension } = splitName(name);
  const room = MAX_NAME_BYTES - Buffer.byteLength(extension);
  // A truncated character at the end decodes to the replacement character.
  const cut = Buffer.from(stem)
    .subarray(0, room)
    .toString()
    .replace(/\uFFFD+$/, '');
  return `${cut}${extension}`;
}

function numbered(name: string, copy: number): string {
  const { stem, extension } = splitName(name);
  return `${stem}-${copy}${extension}`;
}

function splitName(name: string): { stem: string; extension: string } {
  const extension = /\.[A-Za-z0-9]{1,16}$/.exec(name)?.[0] ?? '';
  return { stem: name.slice(0, name.length - extension.length), extension };
}

/** The media type that the extension of a name stands for. */
export function mediaTypeOf(name: string): string | undefined {
  return mime.getType(name) ?? undefined;
}

function extensionOf(mimeType: string | undefined): string {
  const extension = mimeType === undefined ? null : mime.getExtension(mimeType);
  return extension === null ? '' : `.${extension}`;
}

/** Some file systems ignore case. */
function keyOf(name: string): string {
  return name.toLowerCase();
}
