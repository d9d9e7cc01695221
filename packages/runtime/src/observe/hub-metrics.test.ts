import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { watchHub, type HubCalls } from './hub-metrics.ts';

test('requests are counted when the metrics are read', async () => {
  const registry = new Registry();
  const calls: HubCalls[] = [{ method: 'message/send', outcome: 'OK', count: 2 }];
  watchHub(registry, () => calls);
  expect(await registry.metrics()).toContain(
    'holdword_hub_requests_total{method="message/send",outcome="OK"} 2\n',
  );
  calls.push({ method: 'message/send', outcome: 'DELX-A2A-1401', count: 1 });
  const text = await registry.metrics();
  expect(text).toContain('holdword_hub_requests_total{method="message/send",outcome="OK"} 2\n');
  expect(text).toContain('holdword_hub_requests_total{method="message/send",outcome="DELX-A2A-1401"} 1\n');
});
