import { AGENT_KINDS } from '@holdword/runtime/internal';

/** The agents that can be named, for the help of the commands that serve one. */
export const SERVED_AGENTS: readonly (readonly [string, string])[] = [
  ['demo', 'the demo agent, to try things out'],
  ...AGENT_KINDS.map(({ name, summary }) => [name, summary] as const),
];
