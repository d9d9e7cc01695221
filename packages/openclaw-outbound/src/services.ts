import type { OutboundConfig } from './config/read-config.ts';
import type { TargetSignature } from './continuation/target-signature.ts';
import type { TaskHandles } from './handles/task-handles.ts';
import type { BackgroundWork } from './calls/background-work.ts';
import type { MessageIds } from './messages/message-ids.ts';
import type { StateStore } from './state/state-store.ts';
import type { TargetCatalog } from './targets/target-catalog.ts';
import type { TargetConnections } from './targets/target-connections.ts';

/** What all actions share for the lifetime of the tool. */
export interface Services {
  readonly config: OutboundConfig;
  readonly state: StateStore;
  readonly catalog: TargetCatalog;
  readonly connections: TargetConnections;
  readonly handles: TaskHandles;
  readonly signature: TargetSignature;
  readonly messageIds: MessageIds;
  readonly background: BackgroundWork;
}
