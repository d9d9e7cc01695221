import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ContentBlock, PromptCapabilities } from '@agentclientprotocol/sdk';
import type { Part } from '@holdword/protocol';
import type { CliFile } from '../cli-agent/profile.ts';

/** Converts a message to ACP content. `files` are its parts with bytes, in order, as saved on disk. */
export function promptBlocks(
  parts: readonly Part[],
  files: readonly CliFile[],
  capabilities: PromptCapabilities = {},
): ContentBlock[] {
  const saved = files[Symbol.iterator]();
  return parts.flatMap((part): ContentBlock[] => {
    if (part.text !== undefined) return [{ type: 'text', text: part.text }];
    if (part.data !== undefined) return [{ type: 'text', text: JSON.stringify(part.data, undefined, 2) }];
    if (part.raw === undefined) return part.url === undefined ? [] : [link(part.url, part)];
    const file = saved.next().value;
    if (capabilities.image === true && part.mediaType?.startsWith('image/') === true) {
      return [{ type: 'image', data: part.raw, mimeType: part.mediaType }];
    }
    return file === undefined ? [] : [link(pathToFileURL(file.path).href, part)];
  });
}

/** Every agent supports links. */
function link(uri: string, { filename, mediaType }: Part): ContentBlock {
  const name = filename ?? (basename(URL.parse(uri)?.pathname ?? '') || uri);
  return { type: 'resource_link', uri, name, ...(mediaType !== undefined && { mimeType: mediaType }) };
}
