import type { V03Part } from '@holdword/protocol';
import {
  selectionTooLong,
  type TextExcerpts,
  textRange,
  type ViewTextOptions,
} from '../artifacts/text-artifacts.ts';
import type { LargeContent, LargeParts } from '../large/large-parts.ts';
import type { LargeText } from '../large/large-text.ts';
import type { LargePreview, LargePreviews } from '../llm/fit-parts.ts';

/** Reads what a model sees of the parts that are in files: the ends of texts. `limit` is the limit for a text. */
export async function previewLargeParts(
  largeParts: LargeParts,
  parts: readonly V03Part[],
  limit: number,
): Promise<LargePreviews> {
  const previews = new Map<string, LargePreview>();
  for (const part of parts) {
    const content = await largeContent(largeParts, part);
    const { uri } = part.kind === 'file' ? part.file : {};
    if (content === undefined || uri === undefined || content.kind === 'raw') continue;
    const text = await largeParts.text(content);
    previews.set(uri, { kind: 'text', path: content.path, text: await excerptsOfFile(text, limit) });
  }
  return previews;
}

/** The content of a part, if it is in a file. */
export async function largeContent(largeParts: LargeParts, part: V03Part): Promise<LargeContent | undefined> {
  return part.kind === 'file' ? largeParts.find(part.file.uri) : undefined;
}

/** The texts and data of an artifact that are in files, for views. */
export async function largeTexts(largeParts: LargeParts, parts: readonly V03Part[]): Promise<LargeText[]> {
  const texts: LargeText[] = [];
  for (const part of parts) {
    const content = await largeContent(largeParts, part);
    if (content !== undefined && content.kind !== 'raw') texts.push(await largeParts.text(content));
  }
  return texts;
}

/** One character more than the limit on each side: a cut must not split a pair. */
async function excerptsOfFile(text: LargeText, limit: number): Promise<TextExcerpts> {
  const available = Math.min(limit, text.length);
  const head = await text.slice(0, available + 1);
  const tail = await text.slice(Math.max(0, text.length - available - 1));
  return {
    length: text.length,
    lines: text.lines,
    available,
    head: (characters) => head.slice(0, characters),
    tail: (characters) => tail.slice(Math.max(0, tail.length - characters)),
  };
}

/** A range of a text in a file, like `TextArtifacts.view`. Reads no more than the range. */
export async function viewLargeText(
  text: LargeText,
  options: ViewTextOptions & { readonly characterLimit: number },
): Promise<string> {
  const range = textRange(options, () => text.lines);
  const { length } = text;
  const [start, end] =
    'first' in range
      ? [await text.startOfLine(range.first), (await text.startOfLine(range.last + 1)) - 1]
      : [position(range.start ?? 0, length), position(range.end ?? length, length)];
  if (end - start > options.characterLimit) throw selectionTooLong(end - start, options.characterLimit, text);
  return text.slice(start, Math.max(start, end));
}

/** As `String.slice` understands it: negative positions count from the end. */
function position(given: number, length: number): number {
  return given < 0 ? Math.max(0, length + given) : Math.min(given, length);
}
