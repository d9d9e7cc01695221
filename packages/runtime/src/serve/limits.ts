/** How much a server takes on. What is meant for each caller applies to authenticated ones. */
export interface Limits {
  /** The largest request; 1 MiB by default. */
  bodyBytes?: number;
  /** How often something is sent on an idle stream, so that it stays open; 15 s by default. */
  keepAliveSeconds?: number;
  /** Calls of one caller; 60,000 by default, 0 for as many as come. */
  requestsPerMinute?: number;
  /** Streams open at once; 20,000 by default. */
  streams?: number;
  /** Streams that one caller has open; 2,000 by default. */
  streamsPerCaller?: number;
  /** A stream whose reader takes nothing for this long is cut; it can be resumed. 120 s by default. */
  stalledStreamSeconds?: number;
  /** HTTP connections open at once; 25,000 by default. */
  connections?: number;
  /** How long a client may take to send the head of a request; 20 s by default. */
  headSeconds?: number;
  /** How long a client may take to send a whole request; 60 s by default. */
  requestSeconds?: number;
}

export const DEFAULT_LIMITS: Required<Limits> = {
  bodyBytes: 1024 * 1024,
  keepAliveSeconds: 15,
  requestsPerMinute: 60_000,
  streams: 20_000,
  streamsPerCaller: 2_000,
  stalledStreamSeconds: 120,
  connections: 25_000,
  headSeconds: 20,
  requestSeconds: 60,
};
