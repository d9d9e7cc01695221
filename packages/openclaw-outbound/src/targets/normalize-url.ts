/**
 * One spelling for one place: lower case, no usual port, no query or fragment, a slash at the end. Without `normalize` only
 * what URL parsing itself does, so that a base URL with a query keeps it. The text must be an absolute URL.
 */
export function normalizeUrl(text: string, normalize = true): string {
  const url = new URL(text);
  if (!normalize) return url.href;
  url.search = '';
  url.hash = '';
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/`;
  return url.href;
}
