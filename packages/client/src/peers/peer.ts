import type {
  AgentCard,
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  ListTasksResponse,
  ProtocolBinding,
  ProtocolVersion,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
} from '@holdword/protocol';

export interface PeerCallOptions {
  signal?: AbortSignal;
  /** For the whole of a call, and for the beginning of a stream. */
  timeoutMilliseconds?: number;
  /** The number of the last event that the caller has: the peer goes on after it, where it has the resume extension. */
  resumeAfter?: number;
  /** Sent with this call beside the agent's own headers, and like those to trusted origins alone. */
  headers?: Readonly<Record<string, string>>;
}

export interface PeerEvent {
  event: StreamResponse;
  /** The number of the event in its task, where the peer numbers them. */
  sequence?: number;
}

/**
 * Another agent, whatever it speaks: requests and answers are the JSON of A2A 1.0.
 *
 * A call rejects with an A2AError when the agent refuses it, a ConnectionError when no answer came, a ForbiddenUrlError
 * when its address must not be called, and the signal's reason when the caller gave up. None of their messages holds an
 * address or a header.
 */
export interface Peer {
  readonly binding: ProtocolBinding;
  readonly version: ProtocolVersion;
  send(request: SendMessageRequest, options?: PeerCallOptions): Promise<SendMessageResponse>;
  stream(request: SendMessageRequest, options?: PeerCallOptions): AsyncIterable<PeerEvent>;
  subscribe(request: SubscribeToTaskRequest, options?: PeerCallOptions): AsyncIterable<PeerEvent>;
  get(request: GetTaskRequest, options?: PeerCallOptions): Promise<Task>;
  list(request: ListTasksRequest, options?: PeerCallOptions): Promise<ListTasksResponse>;
  cancel(request: CancelTaskRequest, options?: PeerCallOptions): Promise<Task>;
  extendedCard(options?: PeerCallOptions): Promise<AgentCard>;
  close(): void;
}
