import type { JsonObject } from '@holdword/protocol';
import type { HubMethod, HubRoute } from '../../hub-part.ts';
import type { HubMount } from '../../serve/hub-mount.ts';
import { jsonRpcPath } from './json-rpc-path.ts';

/** What an OpenAPI document is made from: the tables that the hub answers by, so that it cannot say anything else. */
export interface DescribedHub {
  readonly baseUrl: string;
  readonly version: string;
  readonly a2aPath: string;
  readonly methods: readonly HubMethod[];
  readonly routes: readonly HubRoute[];
  readonly mounts: readonly Pick<HubMount, 'path' | 'verbs' | 'description'>[];
}

/** The places of a hub as an OpenAPI document. */
export function openApiDocument(hub: DescribedHub): JsonObject {
  const paths: Record<string, JsonObject> = { [hub.a2aPath]: jsonRpcPath(hub.methods) };
  for (const route of hub.routes) {
    paths[route.path] = { ...paths[route.path], [route.verb.toLowerCase()]: describeRoute(route) };
  }
  for (const { path, verbs, description } of hub.mounts) {
    paths[path] = Object.fromEntries(verbs.map((verb) => [verb.toLowerCase(), describeMount(description)]));
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Holdword hub',
      version: hub.version,
      description: 'Identity, sessions, heartbeats and hand-off of agents over A2A, MCP and REST.',
    },
    servers: [{ url: hub.baseUrl }],
    paths,
    components: {
      securitySchemes: {
        agentId: { type: 'apiKey', in: 'header', name: 'x-delx-agent-id' },
        agentToken: { type: 'apiKey', in: 'header', name: 'x-delx-agent-token' },
      },
    },
  };
}

function describeRoute({ path, description, query = {} }: HubRoute): JsonObject {
  const segments = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const questions = Object.entries(query).map(([name, meaning]) => ({
    name,
    in: 'query',
    required: false,
    description: meaning,
    schema: { type: 'string' },
  }));
  const parameters = [...segments, ...questions];
  return { summary: description, ...(parameters.length > 0 && { parameters }), responses: RESPONSES };
}

function describeMount(description: string): JsonObject {
  const content = { 'application/json': { schema: { type: 'object' } } };
  return {
    summary: description,
    security: [{ agentId: [], agentToken: [] }],
    requestBody: { required: true, content },
    responses: RESPONSES,
  };
}

const JSON_CONTENT = { 'application/json': { schema: { type: 'object' } } };
const RESPONSES = {
  200: { description: 'The answer.', content: JSON_CONTENT },
  default: {
    description: 'A refusal that says what was expected and what to do next.',
    content: JSON_CONTENT,
  },
};
