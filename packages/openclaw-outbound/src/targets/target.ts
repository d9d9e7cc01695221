import type { TargetAuth, Transport } from '../config/config.ts';

/** The address of an agent, as stored in a continuation. Two targets with equal addresses are the same agent. */
export interface TargetAddress {
  readonly baseUrl: string;
  readonly cardPath: string;
  readonly preferredTransports: readonly Transport[];
}

/** A target from the user's configuration, with defaults applied. */
export interface ConfiguredTarget extends TargetAddress {
  readonly alias: string;
  readonly description?: string | undefined;
  readonly tags: readonly string[];
  readonly examples: readonly string[];
  readonly default: boolean;
  /** Sent as headers, only to the target's own origins. */
  readonly serviceParameters: Readonly<Record<string, string>>;
  readonly auth?: TargetAuth | undefined;
  readonly trustedOrigins?: readonly string[] | undefined;
}

/** The agent that a request goes to. */
export interface Target extends TargetAddress {
  /** Its configuration; absent for a URL supplied by a model. */
  readonly configured?: ConfiguredTarget;
}

export function addressKey({ baseUrl, cardPath, preferredTransports }: TargetAddress): string {
  return JSON.stringify([baseUrl, cardPath, preferredTransports]);
}
