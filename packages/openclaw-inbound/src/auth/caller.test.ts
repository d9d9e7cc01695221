import { expect, test } from 'vitest';
import { readAccounts } from '../config/read-accounts.ts';
import { sectionOf } from '../testing/serve-scripted-account.ts';
import { createCallerOf, createTurnGroupOf } from './caller.ts';

const DIGEST = '0'.repeat(64);
const [entry] = readAccounts(
  sectionOf({
    defaultAgentId: 'main',
    auth: {
      peers: {
        iris: {
          keySha256: DIGEST,
          agentId: 'clerk',
          tools: 'all',
          privateFiles: true,
          mayApprove: true,
          concurrentTurns: 2,
        },
      },
      anonymous: { concurrentTurns: 3 },
    },
  }),
  [{ id: 'main' }, { id: 'clerk' }],
);
const config = entry?.config;
if (config === undefined) throw new Error(entry?.problems.join('\n'));

const IRIS = { tenant: '', caller: 'peer:iris', authenticated: true };
const ANONYMOUS = { tenant: '', caller: 'anonymous', authenticated: false };
const MAIN = { kind: 'account', agentId: 'main' };
const NOTHING = { agent: MAIN, tools: 'none', privateFiles: false, mayApprove: false };
const CLERK = { kind: 'fixed', agentId: 'clerk' };

test.each([
  ['a peer', IRIS, { peerName: 'iris', agent: CLERK, tools: 'all', privateFiles: true, mayApprove: true }],
  ['an anonymous caller', ANONYMOUS, NOTHING],
  ['an anonymous caller with the id of a peer', { ...IRIS, authenticated: false }, NOTHING],
  ['a peer whose entry was removed', { ...IRIS, caller: 'peer:zeus' }, NOTHING],
  ['a peer with the name of an inherited property', { ...IRIS, caller: 'peer:constructor' }, NOTHING],
])('%s gets what the account grants', (_, owner, granted) => {
  expect(createCallerOf(config)(owner)).toEqual({ owner, ...granted });
});

test('a peer of the bundled channel gets the agent bound to its name', () => {
  const [bundled] = readAccounts({ peers: { iris: { token: 'swordfish' } }, exposeAgents: ['clerk'] });
  if (bundled?.config === undefined) throw new Error(bundled?.problems.join('\n'));
  const callerOf = createCallerOf(bundled.config);
  expect(callerOf(IRIS).agent).toEqual({ kind: 'bound', peerName: 'iris' });
  expect(callerOf({ ...IRIS, caller: 'peer:zeus' }).agent).toEqual({ kind: 'bound', peerName: undefined });
});

test('turns are limited per caller', () => {
  const groupOf = createTurnGroupOf(config.auth);
  expect(groupOf(IRIS)).toEqual({ name: 'peer:iris', maxRunning: 2 });
  expect(groupOf({ ...ANONYMOUS, tenant: 'a' })).toEqual(groupOf({ ...ANONYMOUS, tenant: 'b' }));
  expect(groupOf({ ...IRIS, caller: 'peer:zeus' })).toBeUndefined();
});
