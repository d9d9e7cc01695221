import type { AgentCard, AgentSkill } from '@holdword/protocol';
import {
  buildServedCard,
  type AgentDescription,
  type Authentication,
  type Owner,
  type Runtime,
} from '@holdword/runtime';
import type { CallerOf } from '../auth/caller.ts';
import type { AccountConfig } from '../config/account-config.ts';
import { handlerPaths } from '../config/account-routes.ts';

export interface AccountCardOptions {
  readonly config: AccountConfig;
  readonly agent: Runtime['agent'];
  readonly authentication: Authentication;
  /** Where the gateway is reached, without a slash at the end. */
  readonly url: string;
}

export function accountCard({ config, agent, authentication, url }: AccountCardOptions): Promise<AgentCard> {
  return buildServedCard({
    agent,
    url,
    authentication,
    paths: handlerPaths(config),
    hasExtendedCard: config.features.extendedCard,
    pushNotifications: config.features.push,
  });
}

/** What the agent says of itself to a peer: what everybody reads, and the tools that it uses for this peer. */
export function describeToPeer(agent: AgentDescription, callerOf: CallerOf, owner: Owner): AgentDescription {
  const { tools } = callerOf(owner);
  const names = typeof tools === 'string' ? [] : tools;
  return { ...agent, skills: [...(agent.skills ?? []), ...names.map(toolSkill)] };
}

function toolSkill(name: string): AgentSkill {
  return {
    id: `tool:${name}`,
    name,
    description: `The agent may use its tool ${name} for you.`,
    tags: ['tool'],
  };
}
