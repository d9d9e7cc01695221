/** A web console for the agent that a runtime serves: its page, and the API behind it. */
export { createConsole, type Console, type ConsoleOptions } from './server/create-console.ts';
export type { AuditTail } from './server/audit.ts';
export { ServerSeries, type SeriesSources } from './server/series.ts';
