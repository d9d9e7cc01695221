import type { AgentCard, JsonObject } from '@holdword/protocol';
import { HUB_PATHS } from '../contracts/hub-paths.ts';
import { RestError } from '../errors/rest-error.ts';
import type { HubContext } from '../hub-context.ts';
import type { HubMethod, HubPart, HubRoute, RouteAnswer, ToolDescription } from '../hub-part.ts';
import type { HubMount } from '../serve/hub-mount.ts';
import { capabilitiesDocument } from './capabilities-document.ts';
import { openApiDocument } from './openapi/openapi-document.ts';
import type { ReliabilityStats } from './reliability/reliability-stats.ts';
import { specDocument } from './spec-document.ts';
import { toolCatalog, toolEntry } from './tool-catalog.ts';

/** What there is to discover; asked when somebody does, because all parts of the hub belong to it. */
export interface Discoverable {
  readonly methods: readonly HubMethod[];
  readonly routes: readonly HubRoute[];
  readonly mounts: readonly HubMount[];
  readonly tools: readonly ToolDescription[];
}

export interface DiscoveryOptions {
  /** The answer of `methods/list`. */
  readonly methodsDocument: () => JsonObject;
  readonly discoverable: () => Discoverable;
  readonly stats: ReliabilityStats;
  /** Of the agent that answers; absent where nobody serves one. */
  readonly card: AgentCard | undefined;
}

/** Where clients of this family look for the card beside the two places of A2A, which the agent's server answers. */
const CARD_ALIASES = ['/.well-known/a2a-agent-card.json', '/.well-known/a2a.json'] as const;
const METHOD_PATHS = [HUB_PATHS.methods, HUB_PATHS.methodsAlias] as const;
const KEEP_A_MINUTE = { 'Cache-Control': 'public, max-age=60' };

/** Documents by which programs find out what the hub can do. None of them changes anything. */
export function discoveryPart(context: HubContext, options: DiscoveryOptions): HubPart {
  const { links } = context;
  const { methodsDocument, discoverable, stats, card } = options;
  return {
    routes: [
      ...METHOD_PATHS.map((path) =>
        document(path, 'The methods of JSON-RPC and what they take.', methodsDocument),
      ),
      document(HUB_PATHS.tools, 'The tools of MCP with their schemas.', () =>
        toolCatalog(discoverable().tools, links),
      ),
      {
        verb: 'GET',
        path: HUB_PATHS.tool,
        description: 'One tool of MCP with its schema.',
        answer: async ({ segments }) =>
          answerTool(discoverable().tools, segments['tool_name'] ?? '', context),
      },
      {
        verb: 'GET',
        path: HUB_PATHS.reliability,
        description: 'What really happened on this hub: calls, refusals, times, turns.',
        answer: async () => ({
          status: 200,
          body: { ...stats.summary(), links },
          headers: { 'Cache-Control': 'no-store' },
        }),
      },
      document(HUB_PATHS.spec, 'The contract of the hub: methods, headers, sessions, codes.', () =>
        specDocument(context, methodsDocument()),
      ),
      document(HUB_PATHS.capabilities, 'What the hub can do, and where.', () =>
        capabilitiesDocument(context, discoverable()),
      ),
      document(HUB_PATHS.openApi, 'This document.', () =>
        openApiDocument({
          ...discoverable(),
          baseUrl: context.baseUrl,
          version: context.version,
          a2aPath: HUB_PATHS.a2a,
        }),
      ),
      ...(card === undefined
        ? []
        : CARD_ALIASES.map((path) => document(path, 'The agent card, as at agent-card.json.', () => card))),
    ],
  };
}

function document(path: string, description: string, body: () => unknown): HubRoute {
  return {
    verb: 'GET',
    path,
    description,
    answer: async () => ({ status: 200, body: body(), headers: KEEP_A_MINUTE }),
  };
}

function answerTool(tools: readonly ToolDescription[], name: string, { links }: HubContext): RouteAnswer {
  const tool = tools.find((each) => each.name === name);
  if (tool !== undefined) return { status: 200, body: toolEntry(tool, links), headers: KEEP_A_MINUTE };
  throw new RestError(
    404,
    'tool_not_found',
    `Expected the name of a tool, found ${JSON.stringify(name.slice(0, 100))}.`,
    `The catalogue is at ${links.tools_catalog_url}.`,
  );
}
