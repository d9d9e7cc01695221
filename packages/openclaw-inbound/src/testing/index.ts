export type { RunningAccount } from '../channel/connect-account.ts';
export { startAccount } from '../channel/run-account.ts';
export { GATEWAY_PATHS } from '../config/check-accounts.ts';
export { HOST_TOOLS, TOOL_ALIASES } from '../config/tool-names.ts';
export { readAccounts } from '../config/read-accounts.ts';
export { DRAINING_ERROR, NOTICES, RECOVERY_TEXT } from '../host/gateway-notices.ts';
export type { Host, HostRoute } from '../host/host.ts';
export type { HostEvent, HostTurn, HostTurnEnd } from '../host/host.ts';
export { exampleAccount } from './example-account.ts';
