import type { TargetAuth, Transport } from '../config/config.ts';

/** Where an agent is, as a continuation keeps it. Two targets with the same three fields are the same agent. */
export interface TargetAddress {
  readonly baseUrl: string;
  readonly cardPath: string;
  readonly preferredTransports: readonly Transport[];
}

/** A target of the user's configuration, with every default filled in. */
export interface ConfiguredTarget extends TargetAddress {
  readonly alias: string;
  readonly description?: string | undefined;
  readonly tags: readonly string[];
  readonly examples: readonly string[];
  readonly default: boolean;
  /** Sent as headers, to the target's own origins alone. */
  readonly serviceParameters: Readonly<Record<string, string>>;
  readonly auth?: TargetAuth | undefined;
  readonly trustedOrigins?: readonly string[] | undefined;
}

/** An agent that a request is for. */
export interface Target extends TargetAddress {
  /** What the user configured for it; absent for a URL that the model gave. */
  readonly configured?: ConfiguredTarget;
}

export function addressKey({ baseUrl, cardPath, preferredTransports }: TargetAddress): string {
  return JSON.stringify([baseUrl, cardPath, preferredTransports]);
}
