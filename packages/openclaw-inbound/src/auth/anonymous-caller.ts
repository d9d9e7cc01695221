import type { Owner } from '@parley/runtime';
import type { AccountConfig } from '../config/account-config.ts';
import type { Caller } from './caller.ts';

/** Anybody may talk to the agent; only named peers make it use tools. */
export function anonymousCaller(config: Pick<AccountConfig, 'defaultAgentId'>, owner: Owner): Caller {
  return { owner, agentId: config.defaultAgentId, tools: 'none' };
}
