import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { basename, extname, isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Part } from '@holdword/protocol';
import { fileTypeFromBuffer } from 'file-type';
import mime from 'mime';

/** A file that is not sent. */
export interface OmittedFile {
  readonly name: string;
  readonly reason: string;
}

/** Converts a file to its bytes. A web URL stays a URL: the caller can fetch it. */
export async function mediaPart(reference: string, files: ProducedFiles): Promise<Part | OmittedFile> {
  const url = URL.canParse(reference) ? new URL(reference) : undefined;
  const name = nameOf(reference, url);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') {
    return { url: reference, mediaType: mediaTypeOfUrl(url), ...(name !== '' && { filename: name }) };
  }
  try {
    const content = await readProducedFile(pathOf(reference, url), files);
    const mediaType = await mediaTypeOfFile(name, content);
    return { raw: content.toString('base64'), mediaType, filename: name };
  } catch (error) {
    if (error instanceof FileOmittedError) return { name, reason: error.message };
    throw error;
  }
}

export function isOmitted(part: Part | OmittedFile): part is OmittedFile {
  return 'reason' in part;
}

/** The last segment of the path, as a person would write it: `my%20report.pdf` in a URL is `my report.pdf`. */
function nameOf(reference: string, url: URL | undefined): string {
  const path = url === undefined ? reference : decoded(url.pathname);
  return basename(path.replaceAll('\\', '/'));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function pathOf(reference: string, url: URL | undefined): string {
  if (url === undefined) return reference;
  if (url.protocol !== 'file:' || url.host !== '')
    throw new FileOmittedError('its URL scheme is not supported');
  try {
    return fileURLToPath(url);
  } catch {
    throw new FileOmittedError('its URL is not a valid path');
  }
}

const UNKNOWN = 'application/octet-stream';
/** Detected for all XML formats; the file extension is more precise. */
const GENERIC: readonly string[] = ['application/xml'];

/** From the file extension of a URL's path, ignoring query and fragment. */
export function mediaTypeOfUrl(url: URL): string {
  return mime.getType(extname(url.pathname)) ?? UNKNOWN;
}

/** From the content of the file, otherwise from its name. */
export async function mediaTypeOfFile(name: string, content: Uint8Array): Promise<string> {
  const byContent = (await fileTypeFromBuffer(content))?.mime;
  const byName = mime.getType(extname(name)) ?? undefined;
  if (byContent !== undefined && !GENERIC.includes(byContent)) return byContent;
  return byName ?? byContent ?? UNKNOWN;
}

/** Where files may be sent from, and their size limit. */
interface ProducedFiles {
  /** Absolute paths. A relative path is looked up in the first one. */
  readonly folders: readonly string[];
  /** For all files of an answer together. */
  readonly maxBytes: number;
  /** The size of the files that the answer already has. */
  readonly usedBytes?: number;
}

/** Why a file is omitted, in words for callers, without its path. */
class FileOmittedError extends Error {}

/**
 * Reads a file that an answer names. The name comes from a language model, which can be tricked into naming anything: a key
 * in the home folder, a link to one, a device. Only regular files inside the given folders are read, after resolving links,
 * and no hidden files.
 */
export async function readProducedFile(
  name: string,
  { folders, maxBytes, usedBytes = 0 }: ProducedFiles,
): Promise<Buffer> {
  const path = await realPathOf(name, folders);
  // Without O_NONBLOCK, opening a pipe would block until it has a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => {
      throw new FileOmittedError('it cannot be read');
    },
  );
  try {
    const status = await file.stat();
    if (!status.isFile()) throw new FileOmittedError('it is not a regular file');
    if (status.size > maxBytes) throw new FileOmittedError(`it is larger than ${maxBytes} bytes`);
    if (usedBytes + status.size > maxBytes) {
      throw new FileOmittedError(`the files of the answer are larger than ${maxBytes} bytes together`);
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function realPathOf(name: string, folders: readonly string[]): Promise<string> {
  const [first = sep] = folders;
  const path = await realpath(resolve(first, name)).catch(() => {
    throw new FileOmittedError('it was not found');
  });
  const allowed = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)));
  if (allowed.some((folder) => folder !== undefined && isVisibleIn(folder, path))) return path;
  throw new FileOmittedError('this agent is not allowed to send it');
}

function isVisibleIn(folder: string, path: string): boolean {
  const below = relative(folder, path);
  if (folder === sep || below === '' || isAbsolute(below)) return false;
  return !below.split(sep).some((segment) => segment.startsWith('.'));
}
