/** Identities, sessions, heartbeats and hand-off between agents. */
export type { HubLinks } from './wire/hub-links.ts';
export { ReliabilityStats } from './discovery/reliability-stats.ts';
export { forgetHandoffs } from './handoff/handoffs.ts';
export { keepForSuccessor } from './handoff/keep-for-successor.ts';
export { createHub, type Hub, type HubOptions } from './hub.ts';
export { HUB_HEADERS, hubExtensions, rejectAgentTokens } from './serve/agent-authentication.ts';
export { DEFAULT_HUB_SETTINGS, type HubSettings } from './hub-settings.ts';
export { createResponder, type ResponderOptions } from './responder/responder.ts';
export { hubCatalog } from './mcp/mcp-server.ts';
export type { AlarmTarget, HubRetentionSettings } from './hub-settings.ts';
export { forgetHubRecords } from './operate/hub-retention.ts';
