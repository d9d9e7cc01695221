/**
 * For Holdword's own packages, not covered by semver: what an operator watches a server with. Apart from `internal.ts`
 * because it loads pino and prom-client.
 */
export { openAuditFile, type AuditFileOptions } from './audit-file.ts';
export { auditingObserver, type AuditLog } from './audit-log.ts';
export type { HubCalls } from './hub-metrics.ts';
export { createMetrics, type Metrics, type MetricSources } from './metrics.ts';
export { jsonLog, type JsonLogOptions } from './pino-log.ts';
export { createReadiness, type Readiness, type ReadinessCheck, type ReadinessOptions } from './readiness.ts';
