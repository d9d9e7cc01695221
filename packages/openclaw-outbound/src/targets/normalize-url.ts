/**
 * Normalizes an absolute URL: lower-case host, no default port, no query or fragment, a trailing slash. With
 * `normalize = false` only URL parsing applies, so a base URL keeps its query.
 */
export function normalizeUrl(text: string, normalize = true): string {
  const url = new URL(text);
  if (!normalize) return url.href;
  url.search = '';
  url.hash = '';
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/`;
  return url.href;
}
