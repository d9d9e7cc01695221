import type { Store } from '@holdword/store';
import type { Log } from '../../log.ts';

/** What an OpenClaw agent needs of the server that runs it. */
export interface OpenClawDependencies {
  /** Where records of its processes are kept. */
  readonly processFolder: string;
  /** Remembers what must outlive the server: which session belongs to which context, and which runs go on. */
  readonly sessions: Pick<Store, 'getRecord' | 'putRecord' | 'deleteRecord'>;
  readonly log?: Log;
}
