import type { OnUpdate } from '../calls/update-reporter.ts';
import type { RemoteAgentRequest } from '../request/request.ts';
import type { Outcome } from '../results/outcome.ts';
import type { Services } from '../services.ts';

/** One call of the tool with a validated request. */
export interface ToolCall {
  readonly request: RemoteAgentRequest;
  readonly toolCallId: string;
  readonly sessionKey: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onUpdate: OnUpdate | undefined;
}

/** Rejects with a RemoteAgentError; any other error is a bug in the plugin. */
export type ActionHandler = (call: ToolCall, services: Services) => Promise<Outcome>;
