import { describe, expect, test } from 'vitest';
import { scriptedGateway, turnFor } from '../testing/scripted-gateway.ts';
import { chooseRoute, withBindingsOf } from './choose-route.ts';

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

  test('named by the account takes precedence over bindings for all accounts', () => {
    expect(routeFor({ agent: { kind: 'account', agentId: 'main' } }).agentId).toBe('main');
  });

  test('named by the account gives way to a binding that names the account', () => {
    const gateway = { ...scriptedGateway(undefined, BINDINGS), accountConfig: { bindings: ['peer-1a'] } };
    expect(chooseRoute(gateway, turnFor({ agent: { kind: 'account', agentId: 'main' } })).route.agentId).toBe(
      'other',
    );
  });

  test('is chosen by the gateway if neither the account nor the peer names one', () => {
    const agent = { kind: 'bound', peerName: undefined } as const;
    expect(routeFor({ agent })).toEqual({ agentId: 'other', sessionKey: `agent:other:${OURS}` });
    const { route } = chooseRoute(scriptedGateway(), turnFor({ agent }));
    expect(route.agentId).toBe('the default of the gateway');
  });
});

function bindingFor(accountId: string | undefined): object {
  return { agentId: 'x', match: { channel: 'a2a', accountId } };
}

test('only bindings that name the account count against its agent', () => {
  const named = [bindingFor('iso'), bindingFor(' ISO ')];
  const bindings = [...named, bindingFor('*'), bindingFor('other'), bindingFor(undefined), 'nonsense', null];
  expect(withBindingsOf('Iso', { bindings }).bindings).toEqual(named);
  expect(withBindingsOf('iso', {}).bindings).toEqual([]);
});
