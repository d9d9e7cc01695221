import type { Store } from '@holdword/store';
import type { Log } from '../log.ts';

/** What an agent needs from the server that runs it. */
export interface AgentServer {
  /** Where running processes are recorded, so that the next start can end those that a crash left running. */
  readonly processFolder: string;
  /** Stores which session of the agent belongs to which context. */
  readonly sessions: Pick<Store, 'getRecord' | 'putRecord' | 'deleteRecord'>;
  readonly log: Log;
}
