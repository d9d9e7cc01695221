import { compactJsonLength } from '../../artifacts/data/json-length.ts';
import { shortenText } from '../../artifacts/data/shorten.ts';
import type { FilePartForLLM } from '../for-llm.ts';
import type { Fittable } from './fittable.ts';

const SHORT_NAME = 40;

/** Fits a file: with its location, or only its name. */
export function fittableFile(file: FilePartForLLM): Fittable<FilePartForLLM> {
  const shortest: FilePartForLLM = {
    kind: 'file',
    name: file.name === null ? null : shortenText(file.name, SHORT_NAME),
    mimeType: null,
    uri: null,
    bytes: null,
  };
  const fullLength = compactJsonLength(file);
  return {
    minLength: Math.min(fullLength, compactJsonLength(shortest)),
    full: () => file,
    fullLength: () => fullLength,
    fit: (length) => (fullLength <= length ? file : shortest),
  };
}
