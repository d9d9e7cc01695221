const ESCAPE = '\u0001';
const ESCAPED_NUL = '\u0001\u0002';
const ESCAPED_ESCAPE = '\u0001\u0003';

/**
 * Escapes NUL characters, which the names that clients choose may contain: PostgreSQL rejects them, and node:sqlite in many
 * Node versions reads a text only up to its first NUL. Escaped texts sort like the originals.
 */
export function toDatabaseText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  if (!wellFormed.includes('\0') && !wellFormed.includes(ESCAPE)) return wellFormed;
  return wellFormed.replaceAll(ESCAPE, ESCAPED_ESCAPE).replaceAll('\0', ESCAPED_NUL);
}

export function fromDatabaseText(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  return text.replaceAll(ESCAPED_NUL, '\0').replaceAll(ESCAPED_ESCAPE, ESCAPE);
}
