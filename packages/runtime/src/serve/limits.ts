export interface Limits {
  /** The largest request; 1 MiB by default. */
  bodyBytes?: number;
  /** How often something is sent on an idle stream, so that it stays open; 15 s by default. */
  keepAliveSeconds?: number;
}

export const DEFAULT_LIMITS: Required<Limits> = { bodyBytes: 1024 * 1024, keepAliveSeconds: 15 };
