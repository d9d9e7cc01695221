import type { JsonObject, Task } from '@holdword/protocol';
import type { Executor, Log, Operations, Owner, RequestHeaders } from '@holdword/runtime';
import type { Store } from '@holdword/store';
import type { HubSettings } from './hub-settings.ts';
import type { AgentLimits } from './identity/agent-limits.ts';
import type { Identities } from './identity/identities.ts';
import type { Identity } from './identity/identity.ts';
import type { ResolvedSession } from './sessions/session.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { HubLinks } from './wire/hub-links.ts';
import type { HubMethod, HubMount, HubRoute, ToolDescription } from './wire/hub-method.ts';
import type { HubRequestContext, RecordAction } from './wire/request-context.ts';

/** State that all parts of a hub share. */
export interface HubContext {
  readonly store: Store;
  /** The A2A operations of the agent that answers messages. */
  readonly operations: Operations;
  readonly identities: Identities;
  readonly sessions: Sessions;
  /** Public base URL of the hub, without a trailing slash. */
  readonly baseUrl: string;
  readonly links: HubLinks;
  /** Version of the serving program, shown to clients. */
  readonly version: string;
  readonly settings: HubSettings;
  /** Current time in milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Log;
  /** Who writes hand-off packets, if the rules do not write them alone. */
  readonly packetWriter?: PacketWriter | undefined;
  readonly recordRejection: RecordRejection;
  readonly recordAction: RecordAction;
  readonly limits: AgentLimits;
  /** Counts for the metrics: a claim by its outcome, an alarm by its type. */
  readonly count: (what: 'claim' | 'alarm', label: string) => void;
}

/** An agent that writes hand-off packets, and how long it may take. */
export interface PacketWriter {
  readonly executor: Executor;
  readonly timeoutSeconds: number;
  readonly log: Log;
}

/** Reports a rejected request to the observer. The operation is undefined if it was not known yet. */
export type RecordRejection = (caller: RejectedCaller, operation: string | undefined, error: unknown) => void;

/** What is known about the sender of a rejected request. */
export interface RejectedCaller {
  readonly headers: RequestHeaders;
  /** Absent if the request was rejected before its credential was checked. */
  readonly callerKey?: string | undefined;
  /** The address at the other end of the connection. */
  readonly peer: string | undefined;
}

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
  continuation?(
    params: JsonObject,
    identity: Identity,
    message: MessageIds,
  ): Promise<Continuation | undefined>;
  /**
   * Finds another agent's task that the caller may read or cancel because it holds or held the hand-off. Without an id, it is
   * the task that was handed over.
   */
  handedTask?(
    taskId: string | undefined,
    params: JsonObject,
    identity: Identity,
  ): Promise<HandedTask | undefined>;
  /** Throws a HubError if the caller owns the task but must not change it now, because another agent holds it. */
  requireDriver?(taskId: string, agentId: string): Promise<void>;
  /** Adds fields to the result of `tasks/get` and `tasks/cancel`. */
  describeTask?(taskId: string, identity: Identity): Promise<JsonObject>;
  close?(): Promise<void>;
}

/** A message and its answer, for parts that add fields to the answer. */
export interface Exchange {
  readonly params: JsonObject;
  readonly text: string;
  readonly responseMode: 'standard' | 'model_safe';
  readonly identity: Identity;
  readonly resolved: ResolvedSession;
  /** The task in its current state; undefined if the agent answered with a plain message. */
  readonly task: Task | undefined;
  /** The other agent's work that the message continued, if it did. */
  readonly continuation?: Continuation | undefined;
  readonly requestContext: HubRequestContext;
}

/** What tells a message that is sent again from a new one. */
export interface MessageIds {
  readonly messageId: string;
  readonly idempotencyKey: string | undefined;
}

/** A task that was handed over, and the owner that it keeps. */
export interface HandedTask {
  readonly taskId: string;
  readonly owner: Owner;
  /** Whether it is another task of the same session: only its artifacts and files may be read, which the packet names. */
  readonly isOther: boolean;
}

/** The destination of a message that continues another agent's work. */
export interface Continuation {
  /** The task to continue; undefined if it has ended and a new task starts in its context. */
  readonly taskId?: string | undefined;
  /** Tasks that the new task refers to. */
  readonly referenceTaskIds?: readonly string[] | undefined;
  readonly contextId: string;
  /** The task keeps its owner: the hub acts on behalf of the hand-off's holder. */
  readonly owner: Owner;
  /** Throws a HubError if the sender does not hold the hand-off any more. */
  readonly requireHolder: () => Promise<void>;
}
