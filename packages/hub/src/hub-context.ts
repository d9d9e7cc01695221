import type { Log, Operations } from '@holdword/runtime';
import type { Store } from '@holdword/store';
import type { HubLinks } from './contracts/hub-links.ts';
import type { HubSettings } from './hub-settings.ts';
import type { RecordRejection } from './serve/record-rejection.ts';
import type { Identities } from './identity/identities.ts';
import type { Sessions } from './sessions/sessions.ts';

/** State that all parts of a hub share. */
export interface HubContext {
  readonly store: Store;
  /** The A2A operations of the agent that answers messages. */
  readonly operations: Operations;
  readonly identities: Identities;
  readonly sessions: Sessions;
  /** Public base URL of the hub, without a trailing slash. */
  readonly baseUrl: string;
  readonly links: HubLinks;
  /** Version of the serving program, shown to clients. */
  readonly version: string;
  readonly settings: HubSettings;
  /** Current time in milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Log;
  readonly recordRejection: RecordRejection;
}
