import type { Log } from '../log.ts';
import type { Observer } from '../observe/observer.ts';
import type { Admission } from './admission.ts';
import type { Authentication } from './auth/authentication.ts';
import type { KeepAlive } from './keep-alive.ts';
import type { Callable } from './perform.ts';

/** What the endpoints of one HTTP handler share. */
export interface Edge extends Callable {
  readonly authentication: Authentication;
  readonly admission: Admission;
  /** The largest body that is read. */
  readonly bodyBytes: number;
  readonly keepAlive: KeepAlive;
  readonly log: Log;
  readonly observer: Observer;
}
