import type { AgentCard, JsonObject } from '@holdword/protocol';
import { toUnversionedCard } from '@holdword/protocol/internal';
import type { HubContext, HubPart } from '../hub-part.ts';
import { RestError, showValue } from '../wire/hub-error.ts';
import { HUB_PATHS } from '../wire/hub-links.ts';
import type { HubRoute, RouteAnswer, ToolDescription } from '../wire/hub-method.ts';
import {
  capabilitiesDocument,
  describeMethods,
  specDocument,
  toolCatalog,
  toolEntry,
  type Discoverable,
} from './hub-documents.ts';
import { openApiDocument } from './openapi-document.ts';
import type { ReliabilityStats } from './reliability-stats.ts';

export interface DiscoveryOptions {
  readonly discoverable: () => Discoverable;
  readonly stats: ReliabilityStats;
  /** The card of the agent that answers messages, if one is served. */
  readonly card: AgentCard | undefined;
}

/** Alternative paths of the agent card. The two standard paths are served by the agent's server. */
const CARD_ALIASES = ['/.well-known/a2a-agent-card.json', '/.well-known/a2a.json'] as const;
const METHOD_PATHS = [HUB_PATHS.methods, HUB_PATHS.methodsAlias] as const;
const CACHE_ONE_MINUTE = { 'Cache-Control': 'public, max-age=60' };

/** Read-only documents that describe the hub to programs, and `methods/list`. */
export function discoveryPart(context: HubContext, options: DiscoveryOptions): HubPart {
  const { links } = context;
  const { discoverable, stats, card } = options;
  const methodsDocument = (): JsonObject => describeMethods(context, discoverable().methods);
  return {
    methods: [
      {
        name: 'methods/list',
        spec: {
          description: 'Lists the methods of this endpoint and their parameters.',
          required: [],
          accepts: [],
        },
        handle: async () => methodsDocument(),
      },
    ],
    routes: [
      ...METHOD_PATHS.map((path) =>
        document(path, 'The JSON-RPC methods and their parameters.', methodsDocument),
      ),
      document(HUB_PATHS.tools, 'The MCP tools and their schemas.', () =>
        toolCatalog(discoverable().tools, links),
      ),
      {
        verb: 'GET',
        path: HUB_PATHS.tool,
        description: 'One MCP tool and its schema.',
        answer: async ({ segments }) =>
          answerTool(discoverable().tools, segments['tool_name'] ?? '', context),
      },
      {
        verb: 'GET',
        path: HUB_PATHS.reliability,
        description: 'Measured reliability of this hub: requests, errors, latencies, turns.',
        answer: async () => ({
          status: 200,
          body: { ...stats.summary(), links },
          headers: { 'Cache-Control': 'no-store' },
        }),
      },
      document(HUB_PATHS.spec, 'The contract of the hub: methods, headers, sessions, error codes.', () =>
        specDocument(context, methodsDocument()),
      ),
      document(HUB_PATHS.capabilities, 'The capabilities of the hub and their endpoints.', () =>
        capabilitiesDocument(context, discoverable()),
      ),
      document(HUB_PATHS.openApi, 'This OpenAPI document.', () =>
        openApiDocument({
          ...discoverable(),
          baseUrl: context.baseUrl,
          version: context.version,
          a2aPath: HUB_PATHS.a2a,
        }),
      ),
      ...(card === undefined
        ? []
        : CARD_ALIASES.map((path) =>
            document(path, 'The agent card, same as agent-card.json.', () => toUnversionedCard(card)),
          )),
    ],
  };
}

function document(path: string, description: string, body: () => unknown): HubRoute {
  return {
    verb: 'GET',
    path,
    description,
    answer: async () => ({ status: 200, body: body(), headers: CACHE_ONE_MINUTE }),
  };
}

function answerTool(tools: readonly ToolDescription[], name: string, { links }: HubContext): RouteAnswer {
  const tool = tools.find((each) => each.name === name);
  if (tool !== undefined) return { status: 200, body: toolEntry(tool, links), headers: CACHE_ONE_MINUTE };
  throw new RestError(
    404,
    'tool_not_found',
    `Unknown tool ${showValue(name)}.`,
    `See the tools at ${links.tools_catalog_url}.`,
  );
}
