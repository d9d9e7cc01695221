import { isObject } from '@holdword/protocol/internal';
import { checkLimit, DEFAULT_CHARACTER_LIMIT, DEFAULT_OBJECT_STRING_LENGTH } from '../artifact-settings.ts';
import { minimizeText, withTip } from '../text/minimize-text.ts';
import { childPath } from './json-path.ts';
import { prettyJsonLength, readableLength } from './json-length.ts';
import { shortenText } from './shorten.ts';
import { summarizeColumns } from './summarize-table.ts';
import { summarizeValues } from './summarize-values.ts';

/** Options of `DataArtifacts.minimize`. */
export interface MinimizeDataOptions {
  /**
   * Data with more characters than this is minimized.
   * @default 50000
   */
  characterLimit?: number | undefined;
  /**
   * Maximum length of string values in minimized objects.
   * @default 5000
   */
  minimizedObjectStringLength?: number | undefined;
  /** Added as `_tip` if the data was minimized. */
  tip?: string | null | undefined;
}

const MAX_DEPTH = 10;

/** Returns data within the limit as `{data}`, unchanged; summarizes larger data. */
export function minimizeData(data: unknown, options: MinimizeDataOptions = {}): Record<string, unknown> {
  const limit = checkLimit('characterLimit', options.characterLimit ?? DEFAULT_CHARACTER_LIMIT);
  return readableLength(data, limit) <= limit ? { data } : condenseData(data, options);
}

/** Summarizes data of any size if that makes it shorter; otherwise returns `{data}`, unchanged. */
export function condenseData(data: unknown, options: MinimizeDataOptions = {}): Record<string, unknown> {
  const { tip, characterLimit, minimizedObjectStringLength = DEFAULT_OBJECT_STRING_LENGTH } = options;
  checkLimit('minimizedObjectStringLength', minimizedObjectStringLength);
  if (typeof data === 'string') return { ...minimizeText(data, { characterLimit, tip }) };
  if (typeof data !== 'object' || data === null) return { data };
  const condensed = Array.isArray(data)
    ? describeList(data)
    : condenseValue(data, minimizedObjectStringLength, '', 0);
  return isObject(condensed) && condensed !== data
    ? { data: shorterOf(withTip(condensed, tip), data) }
    : { data };
}

/** Lists of objects are tables; a list that is empty or shorter than its description is unchanged. */
function describeList(list: readonly unknown[], path?: string): unknown {
  if (list.length === 0) return list;
  const location = path === undefined ? {} : { _json_path: path };
  const description = list.every(isObject)
    ? { _total_rows: list.length, _columns: summarizeColumns(list), ...location }
    : { _total_items: list.length, _summary: summarizeValues(list), ...location };
  return shorterOf(description, list);
}

/** Returns the same value if there is nothing to shorten. */
function condenseValue(value: unknown, stringLength: number, path: string, depth: number): unknown {
  if (typeof value === 'string') return shortenText(value, stringLength);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '...';
  if (Array.isArray(value)) return describeList(value, path);
  let changed = false;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const condensed = condenseValue(item, stringLength, childPath(path, key), depth + 1);
    if (condensed !== item) changed = true;
    return [key, condensed];
  });
  return changed ? Object.fromEntries(entries) : value;
}

function shorterOf(condensed: object, original: object): object {
  const length = prettyJsonLength(condensed);
  return prettyJsonLength(original, length) < length ? original : condensed;
}
