import type { Store } from '@holdword/store';
import type { Log } from '../log.ts';

/** What an agent needs of the server that runs it. */
export interface AgentServer {
  /** Where running processes are recorded, so that the next start ends what a crash left behind. */
  readonly processFolder: string;
  /** Remembers which session of an agent belongs to which context. */
  readonly sessions: Pick<Store, 'getRecord' | 'putRecord' | 'deleteRecord'>;
  readonly log: Log;
}
