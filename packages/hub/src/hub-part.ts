import type { JsonObject, Task } from '@holdword/protocol';
import type { Owner, RequestHeaders } from '@holdword/runtime';
import type { Identity } from './identity/identity.ts';
import type { MessageRequest } from './contracts/message-request.ts';
import type { HubMount } from './serve/hub-mount.ts';
import type { ResolvedSession, Session } from './sessions/session.ts';

/**
 * What one part contributes to the hub: JSON-RPC methods, HTTP routes, and fields in the answer to a message. The hub
 * collects the parts and throws if two of them claim the same name.
 */
export interface HubPart {
  readonly methods?: readonly HubMethod[];
  readonly routes?: readonly HubRoute[];
  readonly mounts?: readonly HubMount[];
  /** MCP tools, for clients that ask for tool schemas with an answer. */
  readonly tools?: readonly ToolDescription[];
  /** Parameters of `message/send` that this part reads, so that clients get no warning about them. */
  readonly messageArguments?: readonly string[];
  /** Adds fields to the result of `message/send` once the answer is known. Undefined fields are omitted. */
  enrich?(exchange: Exchange): Promise<JsonObject>;
  /** Finds the other agent's task that a message continues, if the caller holds its hand-off. */
  continuation?(params: JsonObject, identity: Identity): Promise<Continuation | undefined>;
  /** Finds the owner of another agent's task that the caller may read because it holds or held the hand-off. */
  ownerOfTask?(taskId: string, params: JsonObject, identity: Identity): Promise<Owner | undefined>;
  close?(): Promise<void>;
}

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** One JSON-RPC method at `/v1/a2a`. */
export interface HubMethod {
  readonly name: string;
  readonly spec: MethodSpec;
  /** Returns the result. Rejects with a HubError. */
  handle(params: JsonObject, requestContext: HubRequestContext): Promise<JsonObject>;
  /** Whether the request is meant for the A2A method of the same name. */
  isStandard?(params: JsonObject, requestContext: HubRequestContext): boolean;
}

/** What `methods/list` says about a method, with its JSON field names. */
export interface MethodSpec {
  readonly description: string;
  readonly required: readonly string[];
  readonly recommended?: readonly string[];
  readonly accepts: readonly string[];
  readonly identity_fallback?: string;
}

/** The context of one incoming request, before its body is read. */
export interface HubRequestContext {
  readonly headers: RequestHeaders;
  /** The address at the other end of the connection. */
  readonly peer: string | undefined;
  /** Whether the caller sent an operator's credential, such as an API key of the server. */
  readonly isOperator: boolean;
  /** The `contextId` next to `params`, where some clients put it. */
  readonly contextId?: string;
  /** `performance.now()` when the request arrived. */
  readonly startedAt: number;
  readonly signal: AbortSignal;
}

/** A message and its answer, for parts that add fields to the answer. */
export interface Exchange {
  readonly params: JsonObject;
  readonly request: MessageRequest;
  readonly identity: Identity;
  readonly resolved: ResolvedSession;
  /** The task in its current state; absent if the agent answered with a plain message. */
  readonly task?: Task;
  readonly requestContext: HubRequestContext;
}

/** The destination of a message that continues another agent's work. */
export interface Continuation {
  /** The task to continue; absent if it has ended and a new task starts in its context. */
  readonly taskId?: string;
  /** Tasks that the new task refers to. */
  readonly referenceTaskIds?: readonly string[];
  readonly contextId: string;
  /** The task keeps its owner: the hub acts on behalf of the hand-off's holder. */
  readonly owner: Owner;
  readonly session?: Session;
}

/** One HTTP route that answers with JSON. */
export interface HubRoute {
  readonly verb: 'GET' | 'POST';
  /** May contain path parameters: `/api/v1/tools/{name}`. */
  readonly path: string;
  readonly description: string;
  /** Query parameters and their descriptions. */
  readonly query?: Readonly<Record<string, string>>;
  answer(request: RouteRequest): Promise<RouteAnswer>;
}

export interface RouteRequest {
  readonly requestContext: HubRequestContext;
  readonly query: URLSearchParams;
  /** Values of the path parameters by name. */
  readonly segments: Readonly<Record<string, string>>;
  /** The parsed JSON body; undefined for a GET request. */
  readonly body: unknown;
}

export interface RouteAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
