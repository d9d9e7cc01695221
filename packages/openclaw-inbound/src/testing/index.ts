export { startAccount, type RunningAccount } from '../channel/run-account.ts';
export { readAccounts } from '../config/read-accounts.ts';
export type { Host, HostRoute } from '../host/host.ts';
export type { HostEvent, HostTurn, HostTurnEnd } from '../host/host.ts';
export { exampleAccount } from './example-account.ts';
