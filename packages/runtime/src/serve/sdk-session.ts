import type { A2AError } from '@holdword/protocol';
import type { ServerCallContext, User } from '@holdword/protocol/internal/sdk';
import type { RequestObservation } from '../observe/request-observation.ts';
import type { Caller } from './auth/authentication.ts';
import type { ServiceParameters } from './service-parameters.ts';

/** One request on its way through a transport of the SDK, which carries it as the user. */
export abstract class SdkSession implements User {
  readonly caller: Caller;
  readonly parameters: ServiceParameters;
  readonly observation: RequestObservation;
  abstract readonly signal: AbortSignal;

  constructor(caller: Caller, parameters: ServiceParameters, observation: RequestObservation) {
    this.caller = caller;
    this.parameters = parameters;
    this.observation = observation;
  }

  get isAuthenticated(): boolean {
    return this.caller.authenticated;
  }

  get userName(): string {
    return this.caller.id;
  }

  /** Keeps the operation's error, because the transport passes on less of it. */
  abstract fail(error: unknown): void;

  /** Ends waiting and streaming for this caller, who is told the reason. */
  abstract abort(reason: A2AError): void;

  /**
   * Resolves when the transport can accept another event, or when no reader is left (J5). Rejects if a reader stalls.
   */
  abstract hasRoom(): Promise<void>;
}

export function sessionOf(context: ServerCallContext): SdkSession {
  if (context.user instanceof SdkSession) return context.user;
  throw new Error('An SDK transport was mounted without sessions');
}
