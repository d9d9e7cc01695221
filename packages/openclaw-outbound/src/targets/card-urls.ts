import type { TargetAddress } from './target.ts';

const USUAL_PATH = '/.well-known/agent-card.json';
/** Where A2A 0.3 had it before. */
const EARLIER_PATH = '/.well-known/agent.json';

/** Places to look for a card: below the base URL, then at the root of its host. */
export function cardUrls({ baseUrl, cardPath }: Pick<TargetAddress, 'baseUrl' | 'cardPath'>): string[] {
  const { origin, pathname } = new URL(baseUrl);
  const below = `${origin}${pathname.replace(/\/+$/, '')}`;
  const paths = cardPath === USUAL_PATH ? [USUAL_PATH, EARLIER_PATH] : [cardPath];
  return [...new Set([below, origin].flatMap((place) => paths.map((path) => `${place}${path}`)))];
}
