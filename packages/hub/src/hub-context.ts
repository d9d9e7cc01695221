import type { Log, Operations } from '@holdword/runtime';
import type { Store } from '@holdword/store';
import type { HubLinks } from './contracts/hub-links.ts';
import type { HubSettings } from './hub-settings.ts';
import type { RecordRejection } from './serve/record-rejection.ts';
import type { Identities } from './identity/identities.ts';
import type { Sessions } from './sessions/sessions.ts';

/** What the parts of one hub share. */
export interface HubContext {
  readonly store: Store;
  /** The A2A operations of the agent that answers. */
  readonly operations: Operations;
  readonly identities: Identities;
  readonly sessions: Sessions;
  /** Where others reach the hub, without a slash at the end. */
  readonly baseUrl: string;
  readonly links: HubLinks;
  /** Of the program that serves, told to clients. */
  readonly version: string;
  readonly settings: HubSettings;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Log;
  readonly recordRejection: RecordRejection;
}
