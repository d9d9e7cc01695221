import type { AgentExtension, OperationName } from '@holdword/protocol';
import { DEFAULT_LIMITS, DEFAULT_V03_BLOCKING } from '../defaults.ts';
import { noopLog, type Log } from '../log.ts';
import { noopObserver, type Observer } from '../observe/observer.ts';
import type { Operations } from '../operations/operations.ts';
import { Admission } from './admission.ts';
import type { Authentication } from './auth/authentication.ts';
import type { DispatchTarget } from './dispatch.ts';
import { KeepAlive } from './event-stream.ts';
import type { Limits } from './limits.ts';
import { withExtendedCard, type ExtendedCardSource } from './served-card.ts';
import { ServedExtensions } from './service-parameters.ts';

/** The state that the endpoints of one HTTP handler share. */
export interface HandlerContext extends DispatchTarget {
  readonly authentication: Authentication;
  /** The maximum size of a request body. */
  readonly bodyBytes: number;
  readonly keepAlive: KeepAlive;
  readonly log: Log;
  readonly observer: Observer;
}

/** What every HTTP handler of an agent needs. */
export interface HandlerContextOptions {
  /** The operations of a runtime. */
  operations: Operations;
  /** The card for authenticated callers. There is none without it. */
  extendedCard?: ExtendedCardSource | undefined;
  /** How callers authenticate. */
  authentication: Authentication;
  /**
   * The extensions that the agent declares on its card.
   * @internal
   */
  extensions?: readonly AgentExtension[] | undefined;
  /** Limits per caller and in total, in place of the defaults. */
  limits?: Limits | undefined;
  /**
   * Set if limits are shared with other handlers; otherwise created from `limits`.
   * @internal
   */
  admission?: Admission | undefined;
  /**
   * Operations that this server does not offer.
   * @default none
   */
  disabledOperations?: ReadonlySet<OperationName> | undefined;
  /**
   * Whether a client of A2A 0.3 that sends a message waits for the result if it does not set `blocking`, which 0.3 leaves to
   * the server. If false, it gets the task at once.
   * @default true
   */
  v03Blocking?: boolean | undefined;
  /** @default a logger that discards everything */
  log?: Log | undefined;
  /** Is told of every request. */
  observer?: Observer | undefined;
  /** Ends open streams when it fires. Clients reconnect with their last event ID. */
  signal?: AbortSignal | undefined;
}

const NONE_DISABLED: ReadonlySet<OperationName> = new Set();

export function createHandlerContext(options: HandlerContextOptions): HandlerContext {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const keepAlive = new KeepAlive(limits);
  const admission = options.admission ?? new Admission(limits);
  const stop = (): void => {
    keepAlive.endAll();
    admission.endLongPolls();
  };
  options.signal?.addEventListener('abort', stop, { once: true });
  return {
    operations: withExtendedCard(options.operations, options.extendedCard),
    authentication: options.authentication,
    admission,
    bodyBytes: limits.bodyBytes,
    disabledOperations: options.disabledOperations ?? NONE_DISABLED,
    extensions: new ServedExtensions(options.extensions),
    keepAlive,
    v03Blocking: options.v03Blocking ?? DEFAULT_V03_BLOCKING,
    log: options.log ?? noopLog,
    observer: options.observer ?? noopObserver,
  };
}
