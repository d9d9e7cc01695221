const ESCAPE = '\u001a';
const ESCAPED_NUL = `${ESCAPE}0`;
const ESCAPED_ESCAPE = `${ESCAPE}1`;

/** PostgreSQL takes no NUL in a text, and names that clients choose may hold one. */
export function toDatabaseText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  if (!wellFormed.includes('\0') && !wellFormed.includes(ESCAPE)) return wellFormed;
  return wellFormed.replaceAll(ESCAPE, ESCAPED_ESCAPE).replaceAll('\0', ESCAPED_NUL);
}

export function fromDatabaseText(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  return text.replaceAll(ESCAPED_NUL, '\0').replaceAll(ESCAPED_ESCAPE, ESCAPE);
}
