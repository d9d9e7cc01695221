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
  /** The gateway's base URL, without a trailing slash. */
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

/** The extended card of a peer: the public card plus the tools available to the peer. */
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
