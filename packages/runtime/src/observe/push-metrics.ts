import { Counter, Gauge, type Registry } from 'prom-client';
import type { PushHealth } from '../push/push-health.ts';

/** Exposes the state of push notifications when the metrics are read. */
export function watchPush(registry: Registry, health: () => PushHealth): void {
  const registers: Registry[] = [];
  const targets = new Gauge({
    name: 'holdword_push_targets',
    help: 'Push targets: active ones, those of them that are failing, and abandoned ones.',
    labelNames: ['state'],
    registers,
    collect() {
      const { activeTargets, failingTargets, deadTargets } = health();
      this.set({ state: 'active' }, activeTargets);
      this.set({ state: 'failing' }, failingTargets);
      this.set({ state: 'dead' }, deadTargets);
    },
  });
  const longest = new Gauge({
    name: 'holdword_push_longest_failure_seconds',
    help: 'How long the push target that fails longest has been failing.',
    registers,
    collect() {
      this.set(health().longestFailureSeconds);
    },
  });
  const attempts = new Counter({
    name: 'holdword_push_attempts_total',
    help: 'Push notifications sent, by outcome.',
    labelNames: ['outcome'],
    registers,
    collect() {
      const { deliveredEvents, failedAttempts } = health();
      this.reset();
      this.inc({ outcome: 'delivered' }, deliveredEvents);
      this.inc({ outcome: 'failed' }, failedAttempts);
    },
  });
  registry.registerMetric(targets);
  registry.registerMetric(longest);
  registry.registerMetric(attempts);
}
