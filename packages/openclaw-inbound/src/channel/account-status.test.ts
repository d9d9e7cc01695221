import { expect, test } from 'vitest';
import { type AccountEntry, readAccounts } from '../config/read-accounts.ts';
import { sectionOf } from '../testing/serve-scripted-account.ts';
import { accountSnapshot, accountStatus } from './account-status.ts';
import { configReasons, reasonCodes } from './reasons.ts';

function entryOf(section: object): AccountEntry {
  return readAccounts(section)[0] as AccountEntry;
}

function issuesOf(account: AccountEntry, gateway: object) {
  const snapshot = accountStatus.buildAccountSnapshot({ account, cfg: { gateway } });
  return accountStatus.collectStatusIssues([snapshot]);
}

const CLOSED = sectionOf({ auth: { required: true, peers: { ada: { keySha256: '0'.repeat(64) } } } });

test('a reachable account that requires credentials has no issues', () => {
  expect(issuesOf(entryOf(CLOSED), { bind: 'lan' })).toEqual([]);
});

test('an open account says who can do what, and how to close it', () => {
  const peers = {
    ada: { keySha256: '0'.repeat(64), tools: ['read', 'write'], privateFiles: true },
    bob: { keySha256: '1'.repeat(64) },
  };
  const entry = entryOf(sectionOf({ defaultAgentId: 'main', auth: { peers } }));
  expect(issuesOf(entry, { bind: 'lan' })).toEqual([
    {
      channel: 'a2a',
      accountId: 'default',
      kind: 'permissions',
      message:
        'Account "default" is open: anyone who reaches it can talk to agent main, without tools and private files; ' +
        'with credentials: ada (tools: read write, private files), bob (no tools). ' +
        'To accept only known callers, set auth.required to true and list them in auth.peers.',
    },
  ]);
});

test.each([
  [
    'the public URL',
    entryOf({ accounts: { default: {} } }),
    { bind: 'lan' },
    'public-base-url-missing: channels.a2a.accounts.default.publicBaseUrl is missing',
  ],
  ['a reachable gateway', entryOf(CLOSED), { bind: 'loopback' }, 'gateway.bind is "loopback"'],
])('an account without %s has an issue', (_, entry, gateway, message) => {
  expect(issuesOf(entry, gateway)).toEqual([
    { channel: 'a2a', accountId: 'default', kind: 'config', message: expect.stringContaining(message) },
  ]);
});

test('an account that cannot start is listed once, without advice about its network', () => {
  const account = entryOf({ accounts: { default: {} } });
  expect(reasonCodes(configReasons(account))).toBe('public-base-url-missing');
  expect(issuesOf(account, { bind: 'loopback' })).toEqual([
    expect.objectContaining({ message: expect.stringContaining('publicBaseUrl is missing') }),
  ]);
});

test('a misspelt tool of a peer is a warning', () => {
  const peers = { ada: { keySha256: '0'.repeat(64), tools: ['read', 'wirte'] } };
  const entry = entryOf(sectionOf({ auth: { required: true, peers } }));
  expect(issuesOf(entry, { bind: 'lan' }).map(({ message }) => message)).toEqual([
    'channels.a2a.accounts.default.auth.peers.ada.tools[1]: OpenClaw has no tool "wirte"; did you mean "write"? ' +
      'Unless a plugin has such a tool, the peer does not get it.',
  ]);
});

test('a running account works', () => {
  const account = entryOf(sectionOf());
  const runtime = accountSnapshot(account, { kind: 'starting' });
  expect(accountStatus.buildAccountSnapshot({ account, cfg: {}, runtime })).toMatchObject({
    probe: { ok: true },
  });
});

test('the snapshot of an unreachable account contains its state and the probe', () => {
  const account = entryOf(sectionOf({ label: 'Front door' }));
  const reasons = [{ code: 'store-in-use' as const, message: 'It is in use.' }];
  const runtime = accountSnapshot(account, { kind: 'blocked', reasons });
  expect(accountStatus.buildAccountSnapshot({ account, cfg: {}, runtime })).toMatchObject({
    accountId: 'default',
    name: 'Front door',
    lifecycle: 'blocked',
    lastError: 'store-in-use: It is in use.',
    probe: { ok: false, error: 'store-in-use: It is in use.' },
  });
});

test.each(['starting', 'stopped'] as const)(
  'an account that is %s has no error of an earlier start',
  (kind) => {
    expect(accountSnapshot(entryOf(sectionOf()), { kind })).toMatchObject({ lastError: null });
  },
);

test('a probe of another plugin version is ignored', () => {
  expect(accountStatus.collectStatusIssues([{ accountId: 'default', probe: { ok: false } }])).toEqual([]);
});

test('a disabled account has no issues', () => {
  expect(issuesOf(entryOf({ accounts: { default: { enabled: false } } }), {})).toEqual([]);
});
