import type { JsonObject, Task } from '@holdword/protocol';
import type { Owner, RequestHeaders } from '@holdword/runtime';
import type { Identity } from './identity/identity.ts';
import type { MessageRequest } from './contracts/message-request.ts';
import type { HubMount } from './serve/hub-mount.ts';
import type { ResolvedSession, Session } from './sessions/session.ts';

/**
 * What a part of the hub adds to it: methods of JSON-RPC, places of HTTP, and fields of the answer to a message. The hub
 * collects the parts and refuses two that want the same name.
 */
export interface HubPart {
  readonly methods?: readonly HubMethod[];
  readonly routes?: readonly HubRoute[];
  readonly mounts?: readonly HubMount[];
  /** Tools that agents call over MCP, for those that ask for the schemas with an answer. */
  readonly tools?: readonly ToolDescription[];
  /** Parameters of `message/send` that this part reads, so that nobody is warned of them. */
  readonly messageArguments?: readonly string[];
  /** Fields for the result of `message/send`, whose answer is known. Undefined ones are left out. */
  enrich?(exchange: Exchange): Promise<JsonObject>;
  /** The task of another agent that a message goes on with, because the caller holds its hand-off. */
  continuation?(params: JsonObject, identity: Identity): Promise<Continuation | undefined>;
  /** The owner of a task of another agent that the caller may read, because it has or had its hand-off. */
  ownerOfTask?(taskId: string, params: JsonObject, identity: Identity): Promise<Owner | undefined>;
  close?(): Promise<void>;
}

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** One method of JSON-RPC at `/v1/a2a`. */
export interface HubMethod {
  readonly name: string;
  readonly spec: MethodSpec;
  /** The answer, or a HubError. */
  handle(params: JsonObject, requestContext: HubRequestContext): Promise<JsonObject>;
  /** The request is meant for the A2A method of the same name. */
  isStandard?(params: JsonObject, requestContext: HubRequestContext): boolean;
}

/** What `methods/list` says of a method, in the names of the wire. */
export interface MethodSpec {
  readonly description: string;
  readonly required: readonly string[];
  readonly recommended?: readonly string[];
  readonly accepts: readonly string[];
  readonly identity_fallback?: string;
}

/** Who calls and how, before anything is known of what is called. */
export interface HubRequestContext {
  readonly headers: RequestHeaders;
  /** The address at the other end of the connection. */
  readonly peer: string | undefined;
  /** The caller has a credential of the operator, such as an API key of the server. */
  readonly isOperator: boolean;
  /** The `contextId` beside `params`, where some clients put it. */
  readonly contextId?: string;
  /** `performance.now()` when the request came. */
  readonly startedAt: number;
  readonly signal: AbortSignal;
}

/** A message that was answered, for those who add to the answer. */
export interface Exchange {
  readonly params: JsonObject;
  readonly request: MessageRequest;
  readonly identity: Identity;
  readonly resolved: ResolvedSession;
  /** The task that answered, as far as it is; absent when the agent answered with a plain message. */
  readonly task?: Task;
  readonly requestContext: HubRequestContext;
}

/** Where a message goes that continues what another agent began. */
export interface Continuation {
  /** The task that goes on; absent when it has ended, and a new one begins in its context. */
  readonly taskId?: string;
  /** Tasks that a new one refers to. */
  readonly referenceTaskIds?: readonly string[];
  readonly contextId: string;
  /** The task keeps its owner: the hub acts for whoever holds the hand-off. */
  readonly owner: Owner;
  readonly session?: Session;
}

/** One place of HTTP that answers with JSON. */
export interface HubRoute {
  readonly verb: 'GET' | 'POST';
  /** With `{name}` for a segment that varies: `/api/v1/tools/{name}`. */
  readonly path: string;
  readonly description: string;
  /** What the query may hold: names, and what they mean. */
  readonly query?: Readonly<Record<string, string>>;
  answer(request: RouteRequest): Promise<RouteAnswer>;
}

export interface RouteRequest {
  readonly requestContext: HubRequestContext;
  readonly query: URLSearchParams;
  /** What stands in the place of each `{name}`. */
  readonly segments: Readonly<Record<string, string>>;
  /** The body as JSON, undefined where there is none. */
  readonly body: unknown;
}

export interface RouteAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
