export { endLeftBehind } from '../executors/child-process/end-left-behind.ts';
export type { AgentKind, OpenedAgent } from './agent-kind.ts';
export { AGENT_KINDS } from './agent-kinds.ts';
export type { AgentServer } from './agent-server.ts';
export { findAgentKind, type NamedAgent } from './find-agent-kind.ts';
export { flag, integer, text } from './schema-parts.ts';
