/** For Holdword's own packages, not covered by semver. */
export { buildHandoffPacket } from './handoff/claim-task.ts';
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
export { agentOfOwner, ownerOfAgent } from './identity/identity.ts';
export { rotateToken } from './identity/register-agent.ts';
export { tellFacts } from './status/tell-facts.ts';
