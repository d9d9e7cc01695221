import type { Part } from '@holdword/protocol';

/** What the parts say in one text, for a line: data as JSON, files by their names. */
export function textOf(parts: readonly Part[]): string {
  return parts.map(partText).join(' ');
}

function partText(part: Part): string {
  if (part.text !== undefined) return part.text.slice(0, 2000);
  if (part.data !== undefined) return (JSON.stringify(part.data) ?? '').slice(0, 2000);
  return part.filename ?? part.url ?? part.mediaType ?? 'file';
}

/** The file as a part of a message. */
export async function filePart(file: File): Promise<Part> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { raw: toBase64(bytes), filename: file.name, mediaType: file.type || 'application/octet-stream' };
}

/** In pieces: the arguments of a call are limited. */
export function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let index = 0; index < bytes.length; index += 0x8000)
    pieces.push(String.fromCodePoint(...bytes.subarray(index, index + 0x8000)));
  return btoa(pieces.join(''));
}
