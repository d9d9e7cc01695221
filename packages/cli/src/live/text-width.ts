/** Characters that a terminal shows two columns wide: East Asian scripts, and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NARROWEST = /\p{M}|\u200d|\ufe0f/u;

/** Text between escape sequences, which take no room. */
// oxlint-disable-next-line no-control-regex -- these are what it looks for
const ESCAPES = /\u001b\[[\d;]{0,20}m/g;

/** How many columns a text takes on a terminal. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text.replaceAll(ESCAPES, '')) width += widthOf(character);
  return width;
}

function widthOf(character: string): number {
  if (NARROWEST.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** The end of a text that fits, after an ellipsis; the whole text if it fits. Only for text without escape sequences. */
export function endThatFits(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  const kept: string[] = [];
  let width = 1;
  for (const character of Array.from(text).toReversed()) {
    width += widthOf(character);
    if (width > columns) break;
    kept.unshift(character);
  }
  return `…${kept.join('')}`;
}

/** The beginning of a text that fits, before an ellipsis. */
export function beginningThatFits(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let kept = '';
  let width = 1;
  for (const character of text) {
    width += widthOf(character);
    if (width > columns) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Breaks a text between words; a word that is longer than a line is cut. */
export function wrapText(text: string, columns: number, indent = ''): string[] {
  const lines: string[] = [];
  let line = '';
  const room = Math.max(columns, 10);
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (textWidth(joined) <= room || line.trim() === '') line = joined;
    else {
      lines.push(line);
      line = `${indent}${word}`;
    }
  }
  return [...lines, line];
}
