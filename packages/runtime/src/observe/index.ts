/**
 * For Holdword's own packages, not covered by semver: what an operator monitors a server with. Separate from
 * `internal.ts` because it loads pino and prom-client.
 */
export { openAuditFile } from './audit-log.ts';
export { auditingObserver } from './audit-log.ts';
export type { HubCalls, HubMetrics } from './metrics.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export { boundedFields, jsonLog } from './json-log.ts';
export { requestLog } from './request-log.ts';
export { createReadiness, type ReadinessCondition } from './readiness.ts';
