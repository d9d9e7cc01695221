import { readableLength } from '../../artifacts/data/json-length.ts';
import { fileForLlm, pathsOfFile } from '../file-for-llm.ts';
import type { PartForLLM } from '../for-llm.ts';
import type { PartContent } from '../part-content.ts';
import { fittableData } from './fit-data.ts';
import { fittableFile } from './fit-file.ts';
import { fittableText } from './fit-text.ts';
import type { Fittable } from './fittable.ts';

export interface PartsOptions {
  readonly characterLimit: number;
  readonly minimizedObjectStringLength: number;
  readonly textTip: string | null | undefined;
  readonly dataTip: string | null | undefined;
}

/** Whether all texts and data together exceed the limit. */
export function exceedsLimit(contents: readonly PartContent[], limit: number): boolean {
  let room = limit;
  for (const content of contents) {
    if (content.kind === 'text') room -= content.text.length;
    if (content.kind === 'data') room -= readableLength(content.data, room);
    if (room < 0) return true;
  }
  return false;
}

/** Contents as pieces of a reply. With `condense`, data is condensed even if it is short. */
export function fittableContents(
  contents: readonly PartContent[],
  savedTo: readonly string[],
  condense: boolean,
  options: PartsOptions,
): Fittable<PartForLLM>[] {
  const files = contents.filter(({ kind }) => kind === 'file').length;
  let file = 0;
  return contents.map((content): Fittable<PartForLLM> => {
    if (content.kind === 'text') {
      return fittableText(content.text, { ...options, tip: options.textTip });
    }
    if (content.kind === 'data') {
      return fittableData(content.data, { ...options, condense, tip: options.dataTip });
    }
    file += 1;
    return fittableFile(fileForLlm(content, pathsOfFile(savedTo, files, file - 1)));
  });
}
