export { openAuditFile, type AuditFileOptions } from './audit-file.ts';
export { auditingObserver, type AuditLog } from './audit-log.ts';
export type { HubCalls } from './hub-metrics.ts';
export { createMetrics, type Metrics, type MetricSources } from './metrics.ts';
export {
  observeWith,
  noopObserver,
  type EndedRequest,
  type EndedTurn,
  type Observer,
  type FallbackRejection,
  type StateChange,
} from './observer.ts';
export { jsonLog, type JsonLogOptions } from './pino-log.ts';
export { createReadiness, type Readiness, type ReadinessCheck, type ReadinessOptions } from './readiness.ts';
