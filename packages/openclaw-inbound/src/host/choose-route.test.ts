import { describe, expect, test } from 'vitest';
import { scriptedGateway, turnFor } from '../testing/scripted-gateway.ts';
import { chooseRoute } from './choose-route.ts';

const BINDINGS = { hermes: 'clerk', 'iris:c1': 'scribe', 'peer-1a': 'other' };
const OURS = 'a2a:default:direct:peer-1a:2b';

function routeFor(agent: Parameters<typeof turnFor>[0]) {
  return chooseRoute(scriptedGateway(undefined, BINDINGS), turnFor(agent)).route;
}

describe('the agent of a turn', () => {
  test('that bindings choose is the one of the plain name of its peer, in a session of our own', () => {
    expect(routeFor({ agent: { kind: 'bound', peerName: 'hermes' } })).toEqual({
      agentId: 'clerk',
      sessionKey: `agent:clerk:${OURS}`,
    });
  });

  test('that bindings choose may depend on the context, too', () => {
    expect(routeFor({ agent: { kind: 'bound', peerName: 'iris' } }).agentId).toBe('scribe');
    expect(routeFor({ agent: { kind: 'bound', peerName: 'iris' }, contextId: 'c2' }).agentId).toBe(
      'the default of the gateway',
    );
  });

  test('that its entry names is that one, whatever is bound', () => {
    expect(routeFor({ agent: { kind: 'fixed', agentId: 'main' } })).toEqual({
      agentId: 'main',
      sessionKey: `agent:main:${OURS}`,
    });
  });

  test('that the account names gives way to a binding', () => {
    expect(routeFor({ agent: { kind: 'default', agentId: 'main' } }).agentId).toBe('other');
    const unbound = chooseRoute(scriptedGateway(), turnFor());
    expect(unbound.route.agentId).toBe('main');
  });
});
