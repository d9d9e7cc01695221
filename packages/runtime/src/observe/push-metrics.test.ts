import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { PUSH_OFF } from '../push/push-health.ts';
import { watchPush } from './push-metrics.ts';

test('the metrics are computed when they are read', async () => {
  const registry = new Registry();
  let health = { ...PUSH_OFF, enabled: true, activeTargets: 2, deliveredEvents: 5 };
  watchPush(registry, () => health);
  const first = await registry.metrics();
  expect(first).toContain('holdword_push_targets{state="active"} 2\n');
  expect(first).toContain('holdword_push_attempts_total{outcome="delivered"} 5\n');

  health = { ...health, failingTargets: 1, deadTargets: 3, failedAttempts: 4, longestFailureSeconds: 60 };
  const second = await registry.metrics();
  expect(second).toContain('holdword_push_targets{state="failing"} 1\n');
  expect(second).toContain('holdword_push_targets{state="dead"} 3\n');
  expect(second).toContain('holdword_push_longest_failure_seconds 60\n');
  expect(second).toContain('holdword_push_attempts_total{outcome="delivered"} 5\n');
  expect(second).toContain('holdword_push_attempts_total{outcome="failed"} 4\n');
});
