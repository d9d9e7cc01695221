import type { OperationName } from '@holdword/protocol';
import { noopLog, type Log } from '../log.ts';
import { noopObserver, type Observer } from '../observe/observer.ts';
import type { Operations } from '../operations/operations.ts';
import { Admission } from './admission.ts';
import type { Authentication } from './auth/authentication.ts';
import type { ExtendedCardSource } from './extended-card.ts';
import { KeepAlive } from './keep-alive.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import type { DispatchTarget } from './dispatch.ts';

/** What the endpoints of one HTTP handler share. */
export interface HandlerContext extends DispatchTarget {
  readonly authentication: Authentication;
  readonly admission: Admission;
  /** The largest body that is read. */
  readonly bodyBytes: number;
  /** Operations that are answered as if there were none of that name. */
  readonly disabledOperations: ReadonlySet<OperationName>;
  readonly keepAlive: KeepAlive;
  readonly log: Log;
  readonly observer: Observer;
}

export interface HandlerContextOptions {
  operations: Operations;
  extendedCard?: ExtendedCardSource;
  authentication: Authentication;
  limits?: Limits;
  /**
   * Given when callers are counted over several handlers; made from the limits otherwise.
   * @internal
   */
  admission?: Admission;
  /** Operations that this server does not have; all are there without it. */
  disabledOperations?: ReadonlySet<OperationName>;
  log?: Log;
  /** Is told of every call. */
  observer?: Observer;
  /** Ends open streams when it fires; their clients come back with their cursor. */
  signal?: AbortSignal;
}

const NONE_DISABLED: ReadonlySet<OperationName> = new Set();

export function createHandlerContext(options: HandlerContextOptions): HandlerContext {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const keepAlive = new KeepAlive(limits);
  options.signal?.addEventListener('abort', () => keepAlive.endAll(), { once: true });
  return {
    operations: options.operations,
    extendedCard: options.extendedCard,
    authentication: options.authentication,
    admission: options.admission ?? new Admission(limits),
    bodyBytes: limits.bodyBytes,
    disabledOperations: options.disabledOperations ?? NONE_DISABLED,
    keepAlive,
    log: options.log ?? noopLog,
    observer: options.observer ?? noopObserver,
  };
}
