/** Where readers outside of the repository find a file of it: on the page of a package, on npm. */
const ON_GITHUB = /^https:\/\/github\.com\/holdword\/holdword\/(?:blob|tree)\/main(?=\/)/;

/** Where a page leads its reader: links to files of the repository, each with the anchor it names. */
export interface PageLink {
  line: number;
  /** Relative to the page's folder, or to the repository if it begins with a slash; empty for the page itself. */
  path: string;
  anchor?: string;
}

/** The links of a page to files of the repository. Code is skipped: it may look like a link. */
export function linksOf(markdown: string): PageLink[] {
  const text = withoutCode(markdown);
  return [...text.matchAll(/\]\((?<target>[^)\s]+)\)|^\[[^\]]+\]:\s+(?<reference>\S+)/gm)].flatMap(
    (match) => {
      const written = match.groups?.['target'] ?? match.groups?.['reference'] ?? '';
      const target = written.replace(ON_GITHUB, '');
      if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return [];
      const line = text.slice(0, match.index).split('\n').length;
      const [path = '', anchor] = target.split('#');
      return [{ line, path: decodeURI(path), ...(anchor !== undefined && { anchor }) }];
    },
  );
}

/** The anchors that GitHub makes of a page's headings. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  const seen = new Map<string, number>();
  for (const [, heading = ''] of withoutFences(markdown).matchAll(/^#{1,6} +(.*)$/gm)) {
    const slug = slugOf(heading);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

function slugOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}

function withoutCode(markdown: string): string {
  return withoutFences(markdown).replaceAll(/`[^`\n]*`/g, '');
}

/** Blanks fenced blocks but keeps their lines, so that line numbers stay true. */
function withoutFences(markdown: string): string {
  return markdown.replaceAll(/^( *)```.*?^\1```$/gms, (block) => block.replaceAll(/[^\n]/g, ''));
}
