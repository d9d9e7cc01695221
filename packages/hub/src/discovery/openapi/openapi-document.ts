import type { JsonObject } from '@holdword/protocol';
import type { HubMethod, HubMount, HubRoute } from '../../wire/hub-method.ts';
import { jsonRpcPath } from './json-rpc-path.ts';

/** The input of the OpenAPI document: the tables the hub serves from, so that the document cannot differ from them. */
export interface DescribedHub {
  readonly baseUrl: string;
  readonly version: string;
  readonly a2aPath: string;
  readonly methods: readonly HubMethod[];
  readonly routes: readonly HubRoute[];
  readonly mounts: readonly Pick<HubMount, 'path' | 'verbs' | 'description'>[];
}

/** Describes the endpoints of a hub as an OpenAPI document. */
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
      description: 'Identity, sessions, heartbeats and task hand-off for agents, over A2A, MCP and REST.',
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
  const queryParameters = Object.entries(query).map(([name, meaning]) => ({
    name,
    in: 'query',
    required: false,
    description: meaning,
    schema: { type: 'string' },
  }));
  const parameters = [...segments, ...queryParameters];
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
  200: { description: 'Success.', content: JSON_CONTENT },
  default: {
    description: 'An error that says what is wrong and what to do next.',
    content: JSON_CONTENT,
  },
};
