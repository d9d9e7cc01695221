import type { HubTool } from '../hub-tool.ts';
import { dailyCheckin } from './daily-checkin.ts';
import { fleetStatus } from './fleet-status.ts';
import { HANDOFF_TOOLS } from './handoff/handoff-tools.ts';
import { listSessions } from './list-sessions.ts';
import { monitorHeartbeatSync } from './monitor-heartbeat-sync.ts';
import { reflectOnState } from './reflect-on-state.ts';
import { reflect } from './reflect.ts';
import { sessionStatus } from './session-status.ts';

export const ALL_TOOLS: readonly HubTool[] = [
  reflect,
  reflectOnState,
  dailyCheckin,
  monitorHeartbeatSync,
  sessionStatus,
  listSessions,
  ...HANDOFF_TOOLS,
  fleetStatus,
];
