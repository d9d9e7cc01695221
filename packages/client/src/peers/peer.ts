import type {
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

/** Options of one request to a peer. */
export interface PeerCallOptions {
  signal?: AbortSignal;
  /** For a whole unary request, or for opening a stream. */
  timeoutMilliseconds?: number;
  /** Sequence number of the last event received; a peer with the resume extension continues after it. */
  resumeAfter?: number;
  /** Sent in addition to the agent's headers, and like them only to trusted origins. */
  headers?: Readonly<Record<string, string>>;
}

export interface PeerEvent {
  event: StreamResponse;
  /** The sequence number of the event in its task, if the peer has the resume extension. */
  sequence?: number;
  /** The generation of the task after the event, if the peer speaks A2A 1.1 and counts. */
  generation?: number;
  /** The state in which an agent of A2A 0.3 ended the stream, if A2A has no such state; the event itself says working. */
  unknownEnd?: string;
}

/**
 * A remote agent, whatever binding and version it speaks: requests and responses are JSON of A2A 1.0.
 *
 * A request rejects with an A2AError if the agent returns an error, a ConnectionError if there is no response, a
 * ForbiddenUrlError if its address is not allowed, and the signal's reason if the caller aborts. None of the messages
 * contains an address or a header.
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
  close(): void;
}
