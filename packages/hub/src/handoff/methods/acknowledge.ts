import type { HubMethod } from '../../hub-part.ts';
import { requireHandoff, viewNow, type HandoffDesk } from '../handoff-desk.ts';
import { acknowledge } from '../lease/transitions.ts';
import { changeAsHolder } from '../require-lease.ts';

/** `handoff/ack`: the successor has the packet and goes on; said again, it keeps the lease. */
export function acknowledgeMethod(desk: HandoffDesk): HubMethod {
  return {
    name: 'handoff/ack',
    spec: {
      description:
        'Acknowledges a claimed hand-off. The lease begins anew for its whole time; call it again to keep it longer.',
      required: ['handoff_id', 'lease_token'],
      accepts: ['handoff_id', 'lease_token'],
    },
    async handle(params, call) {
      const { agent } = await desk.context.identities.require(call, params);
      const handoff = await requireHandoff(desk, params, agent);
      const changed = await changeAsHolder(desk, handoff, agent, params, acknowledge);
      return {
        ...(await viewNow(desk, changed, agent)),
        next_action: 'Go on with message/send, with handoff_id and lease_token.',
      };
    },
  };
}
