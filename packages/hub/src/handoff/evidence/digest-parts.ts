import { createHash } from 'node:crypto';
import type { Part } from '@holdword/protocol';
import { canonicalJson } from '@holdword/protocol/internal';
import type { PartDigest } from './evidence.ts';

/** The digest of each part, so that a successor can verify that it has the same content. */
export function digestParts(parts: readonly Part[]): PartDigest[] {
  return parts.map((part) => {
    const { kind, content } = contentOf(part);
    return {
      kind,
      media_type: part.mediaType ?? null,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    };
  });
}

function contentOf(part: Part): { kind: PartDigest['kind']; content: Buffer } {
  if (part.text !== undefined) return { kind: 'text', content: Buffer.from(part.text) };
  if (part.raw !== undefined) return { kind: 'raw', content: Buffer.from(part.raw, 'base64') };
  if (part.url !== undefined) return { kind: 'url', content: Buffer.from(part.url) };
  return { kind: 'data', content: Buffer.from(canonicalJson(part.data)) };
}
