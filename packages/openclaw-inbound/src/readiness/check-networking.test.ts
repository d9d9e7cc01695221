import { describe, expect, test } from 'vitest';
import { checkNetworking } from './check-networking.ts';

const PUBLIC = 'https://agents.example.com';

describe('the two prerequisites', () => {
  test.each([
    [undefined, undefined, [false, false]],
    [undefined, { bind: 'lan' }, [false, true]],
    [PUBLIC, undefined, [true, false]],
    [PUBLIC, { bind: 'loopback' }, [true, false]],
    [PUBLIC, { bind: 'auto' }, [true, false]],
    [PUBLIC, { bind: 'lan' }, [true, true]],
    [PUBLIC, { bind: 'tailnet' }, [true, true]],
    [PUBLIC, { bind: 'loopback', tailscale: { mode: 'serve' } }, [true, true]],
    [PUBLIC, { tailscale: { mode: 'funnel' } }, [true, true]],
    [PUBLIC, { bind: 'tailnet', tailscale: { mode: 'funnel' } }, [true, false]],
    [PUBLIC, { bind: 'custom', customBindHost: '192.0.2.7', tailscale: { mode: 'serve' } }, [true, false]],
    [PUBLIC, { bind: 'custom', customBindHost: '127.0.0.1', tailscale: { mode: 'serve' } }, [true, true]],
    [PUBLIC, { bind: 'loopback', tailscale: { mode: 'off' } }, [true, false]],
    [PUBLIC, { bind: 'custom', customBindHost: '192.0.2.7' }, [true, true]],
    [PUBLIC, { bind: 'custom', customBindHost: '127.0.0.1' }, [true, false]],
    [PUBLIC, { bind: 'custom' }, [true, false]],
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
    const [, tailscale] = checkNetworking(PUBLIC, { bind: 'lan', tailscale: { mode: 'serve' } });
    expect(tailscale.message).toContain('gateway.bind is "lan"');
    expect(tailscale.message).toContain('Set gateway.bind to "loopback".');
  });
});
