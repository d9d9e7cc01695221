import type { HandoffServices } from '../handoff/handoff-services.ts';
import type { Heartbeats } from '../heartbeats/heartbeats.ts';
import type { HubContext } from '../hub-context.ts';

/** Where a controller's view of its agents comes from. */
export interface FleetServices {
  readonly context: HubContext;
  readonly heartbeats: Heartbeats;
  readonly handoffs: HandoffServices;
}
