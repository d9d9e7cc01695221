/** Headers, or a function that returns them before each request, for credentials that expire. */
export type HeaderSource =
  Readonly<Record<string, string>> | (() => Promise<Readonly<Record<string, string>>>);

/** Whether the source can have headers. */
export function hasHeaders(source: HeaderSource): boolean {
  return typeof source === 'function' || Object.keys(source).length > 0;
}

export async function readHeaders(source: HeaderSource): Promise<Readonly<Record<string, string>>> {
  return typeof source === 'function' ? source() : source;
}
