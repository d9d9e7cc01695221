/** Parses a public base URL, or describes why it is invalid. */
export function parsePublicBaseUrl(given: string): { url: string } | { problem: string } {
  const found = JSON.stringify(given);
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined) {
    return { problem: `expected a URL such as https://agents.example.com, found ${found}` };
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return { problem: `expected a URL starting with http:// or https://, found ${found}` };
  }
  if (url.username !== '' || url.password !== '') {
    return { problem: 'expected a URL without user name and password, because the agent card is public' };
  }
  if (url.search !== '' || url.hash !== '') {
    return { problem: `expected a URL without query and fragment, found ${found}` };
  }
  return { url: `${url.origin}${url.pathname.replace(/\/+$/, '')}` };
}
