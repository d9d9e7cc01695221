import { describe, expect, test } from 'vitest';
import { scriptedGateway, turnFor } from '../testing/scripted-gateway.ts';
import { chooseRoute } from './choose-route.ts';

const BINDINGS = { hermes: 'clerk', 'iris:c1': 'scribe', 'peer-1a': 'other' };
const OURS = 'a2a:default:direct:peer-1a:2b';

function routeFor(agent: Parameters<typeof turnFor>[0]) {
  return chooseRoute(scriptedGateway(undefined, BINDINGS), turnFor(agent)).route;
}

describe('the agent of a turn', () => {
  test('selected by bindings is looked up by the plain peer name, in a hashed session', () => {
    expect(routeFor({ agent: { kind: 'bound', peerName: 'hermes' } })).toEqual({
      agentId: 'clerk',
      sessionKey: `agent:clerk:${OURS}`,
    });
  });

  test('selected by bindings can depend on the context', () => {
    expect(routeFor({ agent: { kind: 'bound', peerName: 'iris' } }).agentId).toBe('scribe');
    expect(routeFor({ agent: { kind: 'bound', peerName: 'iris' }, contextId: 'c2' }).agentId).toBe(
      'the default of the gateway',
    );
  });

  test('named by the peer entry takes precedence over bindings', () => {
    expect(routeFor({ agent: { kind: 'fixed', agentId: 'main' } })).toEqual({
      agentId: 'main',
      sessionKey: `agent:main:${OURS}`,
    });
  });

  test('named by the account can be overridden by a binding', () => {
    expect(routeFor({ agent: { kind: 'default', agentId: 'main' } }).agentId).toBe('other');
    const unbound = chooseRoute(scriptedGateway(), turnFor());
    expect(unbound.route.agentId).toBe('main');
  });
});
