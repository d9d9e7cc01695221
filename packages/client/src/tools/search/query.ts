export interface QueryOptions {
  /** Whether `*` matches any characters. */
  readonly wildcards: boolean;
  readonly caseSensitive: boolean;
}

/** A range of a text. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export type Query = (text: string) => TextRange | undefined;

/**
 * Prepares a search. With wildcards, the pieces between the stars must follow each other. Regular expressions are not
 * supported, because a model may write one with catastrophic backtracking; this search is linear in the text.
 */
export function prepareQuery(query: string, { wildcards, caseSensitive }: QueryOptions): Query {
  const folded = (text: string): string => (caseSensitive ? text : text.toLowerCase());
  const pieces = (wildcards ? query.split('*') : [query]).filter((piece) => piece !== '').map(folded);
  return (text) => {
    const searched = folded(text);
    let start: number | undefined;
    let end = 0;
    for (const piece of pieces) {
      const at = searched.indexOf(piece, end);
      if (at === -1) return undefined;
      start ??= at;
      end = at + piece.length;
    }
    return { start: start ?? 0, end };
  };
}
