/** Headers, or where to get them before each call: credentials that expire are fetched anew. */
export type HeaderSource =
  Readonly<Record<string, string>> | (() => Promise<Readonly<Record<string, string>>>);

/** Whether there may be any. */
export function hasHeaders(source: HeaderSource): boolean {
  return typeof source === 'function' || Object.keys(source).length > 0;
}

export async function readHeaders(source: HeaderSource): Promise<Readonly<Record<string, string>>> {
  return typeof source === 'function' ? source() : source;
}
