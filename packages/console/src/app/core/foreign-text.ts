// What other agents and callers wrote is shown as text. Characters that would make a line look like another one are made
// visible here, and addresses are shown as links only where a click can do nothing but open a page.

/** Control characters except tab and line breaks, and the characters that turn the direction of a line around. */
const DECEPTIVE = /(?![\t\n\r])\p{Cc}|\p{Bidi_Control}/gu;

/** Nobody reads more than this in one place; the rest is a download. */
export const SHOWN_CHARACTERS = 200_000;

export function visibleText(text: string): string {
  return text.replaceAll(DECEPTIVE, '\ufffd');
}

/** On one line, for a name, a title or a cell. */
export function visibleLine(text: string, longest: number = 300): string {
  const line = visibleText(text.slice(0, longest * 2))
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

/** The address, if it is a web page; other schemes run code or open programs. */
export function webAddress(href: string): URL | undefined {
  try {
    const url = new URL(href);
    const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
    // A user name before the host makes an address look like another one.
    return isWeb && url.username === '' && url.password === '' ? url : undefined;
  } catch {
    return undefined;
  }
}
