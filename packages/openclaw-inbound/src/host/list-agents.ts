import { listAgentIds, resolveAgentConfig, type OpenClawConfig } from '../api.ts';
import type { HostAgent } from '../config/bundled-account.ts';

/** The agents in the gateway's configuration, in order. */
export function listAgents(config: OpenClawConfig): HostAgent[] {
  return listAgentIds(config).map((id) => {
    const name = resolveAgentConfig(config, id)?.name?.trim();
    return { id, ...(name && { name }) };
  });
}
