import type { OnUpdate } from '../calls/update-reporter.ts';
import type { RemoteAgentRequest } from '../request/request.ts';
import type { Outcome } from '../results/outcome.ts';
import type { Services } from '../services.ts';

/** One call of the tool, whose request has been checked. */
export interface ActionCall {
  readonly request: RemoteAgentRequest;
  readonly toolCallId: string;
  readonly sessionKey: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onUpdate: OnUpdate | undefined;
}

/** Rejects with a RemoteAgentError; anything else is an error of ours. */
export type RunAction = (call: ActionCall, services: Services) => Promise<Outcome>;
