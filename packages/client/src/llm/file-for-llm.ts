import type { FilePartForLLM } from './for-llm.ts';
import type { FileContent } from './part-content.ts';

/** A longer URI is not an address but contains the file itself. */
const MAX_URI_LENGTH = 2_048;

/** Describes a file to a model: its location instead of its bytes. */
export function fileForLlm(file: FileContent, savedTo: readonly string[]): FilePartForLLM {
  const saved = savedTo.length > 0 ? { _saved_to: [...savedTo] } : undefined;
  const isAddress = file.uri !== undefined && file.uri.length <= MAX_URI_LENGTH;
  return {
    kind: 'file',
    name: file.name ?? null,
    mimeType: file.mimeType ?? null,
    uri: file.uri === undefined ? null : (saved ?? (isAddress ? file.uri : NOT_SAVED)),
    bytes: file.uri === undefined ? (saved ?? NOT_SAVED) : null,
  };
}

const NOT_SAVED = {
  _error: 'The file was not saved: no file store is configured, or saving failed.',
} as const;

/** The path of one file of an artifact, or all saved paths if some files were not saved. */
export function pathsOfFile(savedTo: readonly string[], files: number, index: number): readonly string[] {
  return savedTo.length === files ? savedTo.slice(index, index + 1) : savedTo;
}
