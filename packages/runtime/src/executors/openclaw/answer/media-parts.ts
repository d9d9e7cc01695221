import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Part } from '@holdword/protocol';
import { mediaTypeOfFile, mediaTypeOfUrl } from './media-type.ts';
import { FileOmittedError, readProducedFile, type ProducedFiles } from './produced-file.ts';

/** A file that is not sent. */
export interface OmittedFile {
  readonly name: string;
  readonly reason: string;
}

/** Converts a file to its bytes. A web URL stays a URL: the caller can fetch it. */
export async function mediaPart(reference: string, files: ProducedFiles): Promise<Part | OmittedFile> {
  const url = URL.canParse(reference) ? new URL(reference) : undefined;
  const name = basename(url?.pathname ?? reference.replaceAll('\\', '/'));
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

function pathOf(reference: string, url: URL | undefined): string {
  if (url === undefined) return reference;
  if (url.protocol !== 'file:' || url.host !== '')
    throw new FileOmittedError('its URL scheme is not supported');
  return fileURLToPath(url);
}
