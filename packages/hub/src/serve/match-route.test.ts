import { describe, expect, it } from 'vitest';
import type { HubMount, HubRoute } from '../wire/hub-method.ts';
import { createRouteMatcher } from './match-route.ts';

function route(verb: HubRoute['verb'], path: string): HubRoute {
  return { verb, path, description: '', answer: () => Promise.resolve({ status: 200, body: path }) };
}

const mount: HubMount = {
  path: '/v1/mcp',
  verbs: ['POST'],
  description: '',
  handle: () => Promise.resolve(),
};
const find = createRouteMatcher(
  [
    route('GET', '/api/tools'),
    route('POST', '/api/tools'),
    route('GET', '/api/tools/{name}'),
    route('GET', '/api/tools/list'),
  ],
  [mount],
);

describe('matching a path', () => {
  it('finds all routes of a path', () => {
    expect(find('/api/tools')).toMatchObject({ verbs: ['GET', 'POST'], segments: {} });
    expect(find('/api/tools/')).toMatchObject({ verbs: ['GET', 'POST'] });
  });

  it('finds mounts', () => {
    expect(find('/v1/mcp')).toMatchObject({ mount: { path: '/v1/mcp' }, verbs: ['POST'] });
  });

  it.each([
    ['/api/tools/reflect', 'reflect'],
    ['/api/tools/a%20b', 'a b'],
    ['/api/tools/100%', '100%'],
  ])('reads the path parameter in %s', (path, name) => {
    expect(find(path)).toMatchObject({ segments: { name } });
  });

  it('prefers an exact path to a template', () => {
    expect(find('/api/tools/list')).toMatchObject({ routes: [{ path: '/api/tools/list' }], segments: {} });
  });

  it.each(['/', '', '/api', '/api/tools/a/b', '/api/tools//'])('does not match %j', (path) => {
    expect(find(path)).toBeUndefined();
  });
});
