import type { JsonObject } from '@holdword/protocol';
import { z } from 'zod';
import type { HubMethod, HubMount, HubRoute } from '../wire/hub-method.ts';

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
        caller: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key or a token that the server accepts. With the role operator, it sees everything.',
        },
      },
    },
  };
}

function describeRoute({ path, description, query = {}, schema }: HubRoute): JsonObject {
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
  return {
    summary: description,
    ...(parameters.length > 0 && { parameters }),
    ...(schema === undefined
      ? { responses: RESPONSES }
      : { security: [{ caller: [] }], responses: responsesOf(schema) }),
  };
}

function responsesOf(schema: z.ZodType): JsonObject {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema);
  return {
    ...RESPONSES,
    200: { description: 'Success.', content: { 'application/json': { schema: described } } },
    304: { description: 'The answer has not changed since the one with the ETag in If-None-Match.' },
    401: { description: 'The request has no valid credential of the server.', content: JSON_CONTENT },
    404: { description: 'There is no such record, or it belongs to another caller.', content: JSON_CONTENT },
  };
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

/** The JSON-RPC endpoint: one request schema per method, discriminated by `method`. */
function jsonRpcPath(methods: readonly HubMethod[]): JsonObject {
  return {
    post: {
      summary: 'JSON-RPC 2.0: the methods of the hub and of A2A 1.0 and 0.3.',
      // The empty entry: some methods need no identity.
      security: [{}, { agentId: [], agentToken: [] }],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { oneOf: methods.map(requestSchema) } } },
      },
      responses: {
        200: { description: 'A JSON-RPC result or error.', content: answerContent() },
        400: { description: 'The request body is not valid JSON.', content: answerContent() },
        401: { description: "The agent's token is missing or wrong.", content: answerContent() },
        429: { description: 'Rate limit exceeded.', content: answerContent() },
      },
    },
  };
}

function requestSchema({ name, spec }: HubMethod): JsonObject {
  const fields = new Set([...spec.required, ...(spec.recommended ?? []), ...spec.accepts]);
  return {
    title: name,
    description: spec.description,
    type: 'object',
    required: ['jsonrpc', 'method'],
    properties: {
      jsonrpc: { const: '2.0' },
      id: { type: ['string', 'number', 'null'] },
      method: { const: name },
      params: { type: 'object', properties: Object.fromEntries([...fields].map((field) => [field, {}])) },
    },
  };
}

function answerContent(): JsonObject {
  const schema = {
    type: 'object',
    required: ['jsonrpc', 'id'],
    properties: {
      jsonrpc: { const: '2.0' },
      id: { type: ['string', 'number', 'null'] },
      result: { type: 'object' },
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'integer' },
          message: { type: 'string' },
          data: {
            type: 'object',
            properties: { delx_code: { type: 'string' }, hint: { type: 'string' } },
          },
        },
      },
    },
  };
  return { 'application/json': { schema } };
}
