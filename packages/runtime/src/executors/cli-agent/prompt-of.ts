import type { Part } from '@holdword/protocol';
import type { CliFile } from './profile.ts';

/** A message as one text: its texts, its data as JSON, its files as paths or URLs. */
export function promptOf(parts: readonly Part[], files: readonly CliFile[]): string {
  const saved = files[Symbol.iterator]();
  return parts
    .map((part) => textOf(part, () => saved.next().value))
    .filter((text) => text !== '')
    .join('\n\n');
}

function textOf(part: Part, nextFile: () => CliFile | undefined): string {
  if (part.text !== undefined) return part.text;
  if (part.data !== undefined) return JSON.stringify(part.data, undefined, 2);
  const location = part.raw === undefined ? part.url : nextFile()?.path;
  if (location === undefined) return '';
  return `Attached file: ${location}${part.mediaType ? ` (${part.mediaType})` : ''}`;
}
