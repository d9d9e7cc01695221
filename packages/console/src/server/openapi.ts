import { z } from 'zod';
import { ENDPOINTS, type Endpoint } from '../api/endpoints.ts';
import { ROUTES, type Route } from '../api/routes.ts';
import { errorSchema } from '../api/session.ts';

/** The OpenAPI document of the console's API, made from the routes and their schemas. */
export function openApiDocument(version: string, path = '/console/api'): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, route] of Object.entries(ROUTES)) {
    const endpoint: Endpoint = ENDPOINTS[name as keyof typeof ENDPOINTS];
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(name, route, endpoint);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Holdword console',
      version,
      description:
        'What the console shows and does. Callers see their own tasks; operators see all of them. The console uses a cookie; ' +
        'programs send the credential that they use for A2A.',
    },
    servers: [{ url: path }],
    security: [{ bearer: [] }, { cookie: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key or a token.' },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'holdword_console',
          description: 'The session of the page.',
        },
      },
      schemas: { Error: toJsonSchema(errorSchema, 'output') },
    },
  };
}

function operation(name: string, route: Route, { summary, query, body, response }: Endpoint) {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
  const inPath = names.map((each) => ({
    name: each,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return {
    operationId: name,
    summary,
    tags: [route.path.split('/')[1]],
    ...(route.access === 'anyone' && { security: [] }),
    ...(route.access === 'operator' && { description: 'For operators.' }),
    parameters: [...inPath, ...(query ? queryParameters(query) : [])],
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: toJsonSchema(body, 'input') } },
      },
    }),
    responses: {
      '200': { description: summary, content: contentOf(route, response) },
      default: {
        description: 'What is wrong, and what to do next.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function contentOf({ answer }: Route, response: z.ZodType | undefined): Record<string, unknown> {
  if (answer === 'file')
    return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
  const schema = response ? toJsonSchema(response, 'output') : {};
  if (answer === 'json') return { 'application/json': { schema } };
  return {
    'text/event-stream': {
      schema: { type: 'string', description: 'The data of each event is JSON.' },
      'x-event-schema': schema,
    },
  };
}

function queryParameters(query: z.ZodType): Record<string, unknown>[] {
  const { properties = {}, required = [] } = toJsonSchema(query, 'input') as {
    properties?: Record<string, Record<string, unknown>>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}
