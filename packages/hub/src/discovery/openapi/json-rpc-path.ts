import type { JsonObject } from '@holdword/protocol';
import type { HubMethod } from '../../wire/hub-method.ts';

/** The JSON-RPC endpoint: one request schema per method, discriminated by `method`. */
export function jsonRpcPath(methods: readonly HubMethod[]): JsonObject {
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
