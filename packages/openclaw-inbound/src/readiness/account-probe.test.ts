import { expect, test } from 'vitest';
import { readAccounts, type AccountEntry } from '../config/read-accounts.ts';
import { probeAccount, probeIssues } from './account-probe.ts';

function entryOf(section: object): AccountEntry {
  const [entry] = readAccounts(section);
  return entry as AccountEntry;
}

const PUBLIC = { publicBaseUrl: 'https://agents.example.com' };

test('a reachable account has no issues', () => {
  const probe = probeAccount(entryOf({ accounts: { default: PUBLIC } }), { bind: 'lan' });
  expect(probe.ok).toBe(true);
  expect(probeIssues(probe)).toEqual([]);
});

test.each([
  [
    { accounts: { default: {} } },
    { bind: 'lan' },
    ['channels.a2a.accounts.default.publicBaseUrl is missing'],
  ],
  [{ accounts: { default: PUBLIC } }, {}, ['gateway.bind is "loopback"']],
  [
    { accounts: { default: {} } },
    {},
    ['channels.a2a.accounts.default.publicBaseUrl is missing', 'gateway.bind is "loopback"'],
  ],
  [
    { accounts: { default: { ...PUBLIC, agentStyle: 'eager' } } },
    { bind: 'lan' },
    ['agentStyle: expected one of hybrid, task-generating, found "eager"'],
  ],
])('%j with the gateway %j reports the missing prerequisite', (section, gateway, messages) => {
  const probe = probeAccount(entryOf(section), gateway);
  expect(probe.ok).toBe(probe.error === undefined);
  expect(probeIssues(probe)).toEqual(messages.map((text) => expect.stringContaining(text)));
});

test('settings without effect are reported', () => {
  const section = { peers: { hermes: { token: 'x', url: 'https://hermes.example.com' } } };
  const probe = probeAccount(entryOf(section), { bind: 'lan' });
  expect(probe.ok).toBe(true);
  expect(probeIssues(probe)).toEqual([expect.stringContaining('peers.hermes.url has no effect')]);
});
