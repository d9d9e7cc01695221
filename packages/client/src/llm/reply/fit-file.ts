import { compactJsonLength } from '../../artifacts/data/json-length.ts';
import { shortenText } from '../../artifacts/data/shorten.ts';
import type { FilePartForLLM } from '../for-llm.ts';
import type { Fittable } from './fittable.ts';

const SHORT_NAME = 40;

/** A file: with where it is, or its name alone. */
export function fittableFile(file: FilePartForLLM): Fittable<FilePartForLLM> {
  const shortest: FilePartForLLM = {
    kind: 'file',
    name: file.name === null ? null : shortenText(file.name, SHORT_NAME),
    mimeType: null,
    uri: null,
    bytes: null,
  };
  const wanted = compactJsonLength(file);
  return {
    least: Math.min(wanted, compactJsonLength(shortest)),
    full: () => file,
    wanted: () => wanted,
    fit: (length) => (wanted <= length ? file : shortest),
  };
}
