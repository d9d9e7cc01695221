import type { AgentCard, JsonObject } from '@holdword/protocol';
import { CARD_PATH } from './addresses.ts';

/** What a host offers besides its agent: an entry of an AI Catalog, which names its artifact by `url` or holds it as `data`. */
export interface CatalogEntry {
  /** Names the artifact within the host: `mcp:tools`. */
  readonly name: string;
  /** Its media type, such as `application/mcp-server-card+json`. */
  readonly type: string;
  readonly url?: string | undefined;
  readonly data?: JsonObject | undefined;
  readonly tags?: readonly string[] | undefined;
}

/**
 * The AI Catalog of a server: what it offers, for registries that know only its host. Names and descriptions stay in the card,
 * as the format asks for, so that they cannot differ.
 */
export function aiCatalog(card: AgentCard, url: string, others: readonly CatalogEntry[] = []): JsonObject {
  const { host, hostname, pathname } = new URL(url);
  // The path tells the agents of one host apart.
  const path = pathname.split('/').filter(Boolean);
  const identify = (name: string): string => ['urn:air', host, ...path, name].join(':');
  const tags = [...new Set(card.skills.flatMap((skill) => skill.tags))];
  const agent: CatalogEntry = {
    name: 'a2a:agent',
    type: 'application/a2a-agent-card+json',
    url: `${url}${CARD_PATH}`,
    ...(tags.length > 0 && { tags }),
  };
  return {
    specVersion: '1.0',
    host: { displayName: card.provider?.organization ?? hostname },
    entries: [agent, ...others].map(({ name, ...entry }) => ({ identifier: identify(name), ...entry })),
  };
}
