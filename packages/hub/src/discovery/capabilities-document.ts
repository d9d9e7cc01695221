import type { JsonObject } from '@holdword/protocol';
import type { HubContext } from '../hub-part.ts';
import type { Discoverable } from './discovery-part.ts';

/** The capabilities registry: every method and tool with its endpoint and description. */
export function capabilitiesDocument(
  { links, version }: HubContext,
  { methods, tools }: Pick<Discoverable, 'methods' | 'tools'>,
): JsonObject {
  return {
    name: 'Holdword hub',
    version,
    capabilities: [
      ...methods.map(({ name, spec }) => ({
        id: name,
        kind: 'a2a_method',
        endpoint: links.a2a_endpoint,
        description: spec.description,
      })),
      ...tools.map(({ name, description }) => ({
        id: name,
        kind: 'mcp_tool',
        endpoint: links.mcp_endpoint,
        description,
      })),
    ],
    identity: { registration: 'agents/register', auth_headers: ['x-delx-agent-id', 'x-delx-agent-token'] },
    isolation:
      'An agent sees only its own sessions and tasks. Its controller sees that they exist, but not their content.',
    links,
  };
}
