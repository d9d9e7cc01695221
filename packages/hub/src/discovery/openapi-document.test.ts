import { expect, test } from 'vitest';
import type { HubMethod, HubRoute } from '../wire/hub-method.ts';
import { openApiDocument } from './openapi-document.ts';

const status: HubRoute = {
  verb: 'GET',
  path: '/things/{name}',
  description: 'One thing.',
  query: { depth: 'How deep.' },
  answer: async () => ({ status: 200, body: {} }),
};
const method: HubMethod = {
  name: 'things/make',
  spec: {
    description: 'Makes a thing.',
    required: ['name'],
    recommended: ['colour'],
    accepts: ['name', 'size'],
  },
  handle: async () => ({}),
};

test('describes routes, mounts and methods as paths', () => {
  const document = openApiDocument({
    baseUrl: 'http://hub.example',
    version: '1.2.3',
    a2aPath: '/rpc',
    methods: [method],
    routes: [status, { ...status, verb: 'POST' }],
    mounts: [{ path: '/mcp', verbs: ['POST'], description: 'Tools.' }],
  });
  expect(document).toMatchObject({
    openapi: '3.1.0',
    info: { version: '1.2.3' },
    servers: [{ url: 'http://hub.example' }],
    paths: {
      '/rpc': { post: {} },
      '/things/{name}': {
        get: {
          parameters: [
            { name: 'name', in: 'path', required: true },
            { name: 'depth', in: 'query', required: false, description: 'How deep.' },
          ],
        },
        post: { summary: 'One thing.' },
      },
      '/mcp': { post: { summary: 'Tools.', security: [{ agentId: [], agentToken: [] }] } },
    },
  });
});

test('describes a method by name and lists each parameter once', () => {
  const hub = { baseUrl: '', version: '', a2aPath: '/rpc', methods: [method], routes: [], mounts: [] };
  const request = {
    title: 'things/make',
    properties: {
      method: { const: 'things/make' },
      params: { type: 'object', properties: { name: {}, colour: {}, size: {} } },
    },
  };
  expect(openApiDocument(hub)['paths']).toMatchObject({
    '/rpc': { post: { requestBody: { content: { 'application/json': { schema: { oneOf: [request] } } } } } },
  });
});
