import type { Store } from '@holdword/store';
import type { Log } from '../../log.ts';

/** What an OpenClaw agent needs from the server that runs it. */
export interface OpenClawDependencies {
  /** Where its processes are recorded. */
  readonly processFolder: string;
  /** Stores what must survive a restart: the session of each context, and the runs in progress. */
  readonly sessions: Pick<Store, 'getRecord' | 'putRecord' | 'deleteRecord'>;
  readonly log?: Log;
}
