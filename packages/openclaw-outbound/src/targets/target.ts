import type { ConfiguredTarget } from '../config.ts';

/** The address of an agent, as stored in a continuation. Two targets with equal addresses are the same agent. */
export type TargetAddress = Pick<ConfiguredTarget, 'baseUrl' | 'cardPath' | 'preferredTransports'>;

/** The agent that a request goes to. */
export interface Target extends TargetAddress {
  /** Its configuration; absent for a URL supplied by a model. */
  readonly configured?: ConfiguredTarget | undefined;
}

export function addressKey({ baseUrl, cardPath, preferredTransports }: TargetAddress): string {
  return JSON.stringify([baseUrl, cardPath, preferredTransports]);
}
