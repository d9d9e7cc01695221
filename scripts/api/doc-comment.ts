/** A JSDoc comment, taken apart. */
export interface DocComment {
  readonly description: string;
  readonly parameters: readonly { readonly name: string; readonly text: string }[];
  readonly returns?: string;
  readonly default?: string;
  readonly throws: readonly string[];
  readonly examples: readonly string[];
  readonly deprecated?: string;
  /** Exported for our own packages only; neither reported nor documented. */
  readonly isInternal: boolean;
}

/** Reads what stands between `/**` and the end of the comment. */
export function parseDocComment(comment: string): DocComment {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\*? ?/, '').trimEnd());
  // With a line before it, so that a comment may begin with a tag.
  const [description = '', ...tags] = ['', ...lines].join('\n').split(/^(?=@[a-zA-Z]+)/m);
  const valuesOf = (name: string): string[] =>
    tags
      .filter((tag) => new RegExp(`^@${name}\\b`).test(tag))
      .map((tag) => tag.slice(name.length + 1).replaceAll(/^[ \t]+|^\n+|\s+$/g, ''));
  const [returns] = valuesOf('returns');
  const [standard] = valuesOf('default');
  const [deprecated] = valuesOf('deprecated');
  return {
    description: description.trim(),
    parameters: valuesOf('param').map((value) => {
      const [, name = '', text = ''] = /^(\S+)\s*-?\s*(.*)$/s.exec(value) ?? [];
      return { name, text };
    }),
    ...(returns !== undefined && { returns }),
    ...(standard !== undefined && { default: standard }),
    throws: valuesOf('throws'),
    examples: valuesOf('example'),
    ...(deprecated !== undefined && { deprecated }),
    isInternal: valuesOf('internal').length > 0,
  };
}

export const NO_COMMENT: DocComment = parseDocComment('');
