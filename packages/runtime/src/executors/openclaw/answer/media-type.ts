import { extname } from 'node:path';
import { fileTypeFromBuffer } from 'file-type';
import mime from 'mime';

const UNKNOWN = 'application/octet-stream';
/** What the content says of formats that are written in XML; their suffix knows better. */
const GENERIC: readonly string[] = ['application/xml'];

/** By the suffix of a URL's path: queries and fragments do not matter. */
export function mediaTypeOfUrl(url: URL): string {
  return mime.getType(extname(url.pathname)) ?? UNKNOWN;
}

/** By what is in the file; by its name where the content does not say. */
export async function mediaTypeOfFile(name: string, content: Uint8Array): Promise<string> {
  const byContent = (await fileTypeFromBuffer(content))?.mime;
  const byName = mime.getType(extname(name)) ?? undefined;
  if (byContent !== undefined && !GENERIC.includes(byContent)) return byContent;
  return byName ?? byContent ?? UNKNOWN;
}
