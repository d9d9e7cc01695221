/** The limits of a server. Per-caller limits apply to authenticated callers, across all bindings. */
export interface Limits {
  /**
   * The maximum size of a request body.
   * @default 1048576 (1 MiB)
   */
  bodyBytes?: number;
  /**
   * The interval of keep-alive comments on idle streams.
   * @default 15
   */
  keepAliveSeconds?: number;
  /**
   * Requests per minute of one caller; 0 for no limit.
   * @default 60000
   */
  requestsPerMinute?: number;
  /**
   * Concurrent streams of all callers.
   * @default 20000
   */
  streams?: number;
  /**
   * Concurrent streams of one caller.
   * @default 2000
   */
  streamsPerCaller?: number;
  /**
   * How much of the concurrent streams is kept for callers who have less than one percent of them open; 0 for nothing.
   * @default 25
   */
  reservedPercent?: number;
  /**
   * A stream whose reader accepts nothing for this long is closed. The client can resume it.
   * @default 120
   */
  stalledStreamSeconds?: number;
  /**
   * How long a GetTask of A2A 1.1 may wait for a change of its task. It is answered with the task as it is then.
   * @default 30
   */
  longPollSeconds?: number;
  /**
   * Concurrent connections, on the HTTP port and on the gRPC port each.
   * @default 25000
   */
  connections?: number;
  /**
   * How long a client may take to send the headers of a request.
   * @default 20
   */
  headSeconds?: number;
  /**
   * How long a client may take to send a whole request.
   * @default 60
   */
  requestSeconds?: number;
}
