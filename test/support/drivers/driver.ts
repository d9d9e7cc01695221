import type {
  JsonObject,
  ListTasksResponse,
  SendMessageResponse,
  StreamResponse,
  Task,
} from '@holdword/protocol';

export const BINDINGS = ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const;
export type Binding = (typeof BINDINGS)[number];

export const VERSIONS = ['1.0', '0.3'] as const;
export type Version = (typeof VERSIONS)[number];

/** A binding in one version: what a client has to choose. */
export type Wire = `${Binding} ${Version}`;

/** `raw` writes the bytes itself; `sdk` is the official client library. */
export const CLIENTS = ['raw', 'sdk'] as const;
export type ClientKind = (typeof CLIENTS)[number];

export interface CallOptions {
  /** HTTP headers, or metadata on gRPC. */
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface StreamedEvent {
  /** The SSE event ID, if the binding has one. */
  id?: string;
  event: StreamResponse;
}

/**
 * The A2A operations over one binding and version. Requests and responses are A2A 1.0 JSON in all of them, so that a scenario
 * is written once; a request is a plain object, so that malformed ones can be sent. An error response is a WireError.
 */
export interface Driver {
  readonly name: string;
  readonly binding: Binding;
  readonly version: Version;
  readonly client: ClientKind;
  send(request: JsonObject, options?: CallOptions): Promise<SendMessageResponse>;
  stream(request: JsonObject, options?: CallOptions): AsyncIterable<StreamedEvent>;
  get(request: JsonObject, options?: CallOptions): Promise<Task>;
  list(request: JsonObject, options?: CallOptions): Promise<ListTasksResponse>;
  cancel(request: JsonObject, options?: CallOptions): Promise<Task>;
  subscribe(request: JsonObject, options?: CallOptions): AsyncIterable<StreamedEvent>;
  createPushConfig(request: JsonObject, options?: CallOptions): Promise<unknown>;
  getPushConfig(request: JsonObject, options?: CallOptions): Promise<unknown>;
  listPushConfigs(request: JsonObject, options?: CallOptions): Promise<unknown>;
  deletePushConfig(request: JsonObject, options?: CallOptions): Promise<unknown>;
  extendedCard(request: JsonObject, options?: CallOptions): Promise<unknown>;
  close(): void;
}

/** The addresses of an agent, and the headers of every call. */
export interface DriverTarget {
  /** `http://host:port`, where the card is served. */
  baseUrl: string;
  /** The URL of the card for clients of all versions, if there are no separate paths. */
  cardPath?: string;
  jsonRpcUrl: string;
  restUrl: string;
  /** `host:port` of the gRPC server. */
  grpcAddress: string;
  headers?: Record<string, string>;
}
