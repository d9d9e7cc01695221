import type { JsonObject } from '@holdword/protocol';
import { objectAt, parseJson } from '../../json-value.ts';

/**
 * The last JSON object in a text with other lines around it, on one line or several. Braces in the other lines are ignored.
 * It is the last one because programs print their result at the end; earlier ones may be quoted from anywhere.
 */
export function findJsonObject(
  text: string,
  accepts: (value: JsonObject) => boolean,
): JsonObject | undefined {
  const lines = text.split(/\r?\n/);
  const opensBefore = lastOpeningLines(lines);
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = lines[index]?.trimEnd() ?? '';
    if (!line.endsWith('}')) continue;
    const found = objectIn(line.slice(line.indexOf('{'))) ?? blockUntil(index);
    if (found !== undefined && accepts(found)) return found;
  }
  const rest = objectIn(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  return rest !== undefined && accepts(rest) ? rest : undefined;

  function blockUntil(end: number): JsonObject | undefined {
    const start = opensBefore[end];
    if (lines[end] !== '}' || start === undefined) return undefined;
    return objectIn(lines.slice(start, end + 1).join('\n'));
  }
}

/** For each line, the nearest line at or before it that consists of an opening brace. */
function lastOpeningLines(lines: readonly string[]): (number | undefined)[] {
  let last: number | undefined;
  return lines.map((line, index) => {
    if (line === '{') last = index;
    return last;
  });
}

function objectIn(text: string): JsonObject | undefined {
  return objectAt(parseJson(text));
}
