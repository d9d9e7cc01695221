export interface QueryOptions {
  /** Whether `*` stands for any characters. */
  readonly wildcards: boolean;
  readonly caseSensitive: boolean;
}

/** Where a query was found in a text. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export type Query = (text: string) => TextRange | undefined;

/**
 * Prepares the search for a text. With wildcards, the pieces between the stars have to follow each other. There are no
 * regular expressions, because a model may write one that never ends: the time this takes grows with the text alone.
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
