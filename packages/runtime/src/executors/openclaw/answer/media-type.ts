import { extname } from 'node:path';
import { fileTypeFromBuffer } from 'file-type';
import mime from 'mime';

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
