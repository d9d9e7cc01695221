import { describe, expect, test } from 'vitest';
import { type AccountEntry, readAccounts } from '../config/read-accounts.ts';
import { checkNetworking, probeAccount, probeIssues } from './account-probe.ts';

function entryOf(section: object): AccountEntry {
  const [entry] = readAccounts(section);
  return entry as AccountEntry;
}

const URL_OF_GATEWAY = 'https://agents.example.com';
const PUBLIC = { publicBaseUrl: URL_OF_GATEWAY };

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
  [{ accounts: { default: {} } }, {}, ['channels.a2a.accounts.default.publicBaseUrl is missing']],
  [
    { accounts: { default: { publicBaseUrl: 'http://127.0.0.1:18789', agentStyle: 'eager' } } },
    { bind: 'loopback' },
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

describe('the two prerequisites', () => {
  test.each([
    [undefined, undefined, [false, false]],
    [undefined, { bind: 'lan' }, [false, true]],
    [URL_OF_GATEWAY, undefined, [true, false]],
    [URL_OF_GATEWAY, { bind: 'loopback' }, [true, false]],
    [URL_OF_GATEWAY, { bind: 'auto' }, [true, false]],
    [URL_OF_GATEWAY, { bind: 'lan' }, [true, true]],
    [URL_OF_GATEWAY, { bind: 'tailnet' }, [true, true]],
    [URL_OF_GATEWAY, { bind: 'loopback', tailscale: { mode: 'serve' } }, [true, true]],
    [URL_OF_GATEWAY, { tailscale: { mode: 'funnel' } }, [true, true]],
    [URL_OF_GATEWAY, { bind: 'tailnet', tailscale: { mode: 'funnel' } }, [true, false]],
    [
      URL_OF_GATEWAY,
      { bind: 'custom', customBindHost: '192.0.2.7', tailscale: { mode: 'serve' } },
      [true, false],
    ],
    [
      URL_OF_GATEWAY,
      { bind: 'custom', customBindHost: '127.0.0.1', tailscale: { mode: 'serve' } },
      [true, true],
    ],
    [URL_OF_GATEWAY, { bind: 'loopback', tailscale: { mode: 'off' } }, [true, false]],
    [URL_OF_GATEWAY, { bind: 'custom', customBindHost: '192.0.2.7' }, [true, true]],
    [URL_OF_GATEWAY, { bind: 'custom', customBindHost: '127.0.0.1' }, [true, false]],
    [URL_OF_GATEWAY, { bind: 'custom' }, [true, false]],
    ['http://127.0.0.1:18789', undefined, [true, true]],
    ['request-origin', { bind: 'lan' }, [true, true]],
  ])('with the URL %s and the gateway %j are met: %j', (url, gateway, met) => {
    expect(checkNetworking(url, gateway).map((each) => each.met)).toEqual(met);
  });

  test('say what to do if one is missing', () => {
    const [url, gateway] = checkNetworking(undefined, {});
    expect(url.message).toContain('publicBaseUrl is missing. Set it to');
    expect(gateway.message).toContain('gateway.bind is "loopback": other machines cannot connect.');
    expect(gateway.message).toContain('gateway.tailscale.mode');
    const [, tailscale] = checkNetworking(URL_OF_GATEWAY, { bind: 'lan', tailscale: { mode: 'serve' } });
    expect(tailscale.message).toContain('gateway.bind is "lan"');
    expect(tailscale.message).toContain('Set gateway.bind to "loopback".');
  });
});
