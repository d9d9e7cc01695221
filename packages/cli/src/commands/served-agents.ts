import { AGENT_KINDS } from '@holdword/runtime/internal/settings';
import { RESPONDER } from '../serving/load-agent.ts';

/** The agents that can be served by name, for the help of the commands that serve one. */
export const SERVED_AGENTS: readonly (readonly [string, string])[] = [
  ['demo', 'the built-in demo agent, for trying things out'],
  ...AGENT_KINDS.map(({ name, summary }) => [name, summary] as const),
];

export const RESPONDER_ROW = [
  RESPONDER,
  'the agent of the hub: answers from what the hub knows about a session, without a model',
] as const;
