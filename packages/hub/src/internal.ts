/** For Holdword's own packages, not covered by semver. */
export { blockAgent, deleteAgent, unblockAgent, type AgentChange } from './operate/agent-changes.ts';
export { DIRECTORY_FILTERS, readQuery, type DirectoryList } from './operate/directory-routes.ts';
export type {
  AgentView,
  AlarmView,
  HandoffView,
  HeartbeatsView,
  SessionView,
} from './operate/directory-schemas.ts';
export { createCensus } from './operate/hub-census.ts';
export { HubDirectory, openHubRecords, type HubRecords } from './operate/hub-directory.ts';
export { rotateToken } from './identity/register-agent.ts';
