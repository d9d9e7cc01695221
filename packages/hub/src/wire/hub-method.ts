import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonObject } from '@holdword/protocol';
import type { z } from 'zod';
import type { HubRequestContext } from './request-context.ts';

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

/** One HTTP route that answers with JSON. */
export interface HubRoute {
  readonly verb: 'GET' | 'POST';
  /** May contain path parameters: `/api/v1/tools/{name}`. */
  readonly path: string;
  readonly description: string;
  /** Query parameters and their descriptions. */
  readonly query?: Readonly<Record<string, string>>;
  /** The schema of its answer, for routes that need a credential of the server. */
  readonly schema?: z.ZodType;
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

/** An HTTP endpoint that speaks its own protocol, such as MCP. */
export interface HubMount {
  readonly path: string;
  readonly verbs: readonly string[];
  readonly description: string;
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    requestContext: HubRequestContext,
  ): Promise<void>;
}

/** An MCP tool, as it is described to clients that do not use MCP. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}
