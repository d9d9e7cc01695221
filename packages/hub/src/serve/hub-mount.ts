import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HubRequestContext } from '../hub-part.ts';

export type HttpRequest = IncomingMessage;
export type HttpResponse = ServerResponse;

/** An HTTP endpoint that speaks its own protocol, such as MCP. */
export interface HubMount {
  readonly path: string;
  readonly verbs: readonly string[];
  readonly description: string;
  handle(request: HttpRequest, response: HttpResponse, requestContext: HubRequestContext): Promise<void>;
}
