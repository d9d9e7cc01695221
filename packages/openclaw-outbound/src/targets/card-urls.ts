import type { TargetAddress } from './target.ts';

const DEFAULT_PATH = '/.well-known/agent-card.json';
/** The path before A2A 0.3. */
const LEGACY_PATH = '/.well-known/agent.json';

/** The URLs to try for a card: below the base URL, then at the root of its origin. */
export function cardUrls({ baseUrl, cardPath }: Pick<TargetAddress, 'baseUrl' | 'cardPath'>): string[] {
  const { origin, pathname } = new URL(baseUrl);
  const below = `${origin}${pathname.replace(/\/+$/, '')}`;
  const paths = cardPath === DEFAULT_PATH ? [DEFAULT_PATH, LEGACY_PATH] : [cardPath];
  return [...new Set([below, origin].flatMap((base) => paths.map((path) => `${base}${path}`)))];
}
