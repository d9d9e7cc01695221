/** A base URL that addresses can be made of, or why the text is none. */
export function parsePublicBaseUrl(given: string): { url: string } | { problem: string } {
  const found = JSON.stringify(given);
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined) {
    return { problem: `expected a URL such as https://agents.example.com, found ${found}` };
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return { problem: `expected a URL that begins with http:// or https://, found ${found}` };
  }
  if (url.username !== '' || url.password !== '') {
    return { problem: 'expected a URL without user and password: everybody reads it on the card' };
  }
  if (url.search !== '' || url.hash !== '') {
    return { problem: `expected a URL without ? and #, found ${found}` };
  }
  return { url: `${url.origin}${url.pathname.replace(/\/+$/, '')}` };
}
