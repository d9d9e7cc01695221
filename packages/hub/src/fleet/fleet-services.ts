import type { HandoffServices } from '../handoff/handoff-access.ts';
import type { Heartbeats } from '../heartbeats/heartbeats.ts';
import type { HubContext } from '../hub-part.ts';

/** What the fleet view reads from. */
export interface FleetServices {
  readonly context: HubContext;
  readonly heartbeats: Heartbeats;
  readonly handoffs: HandoffServices;
}
