import type { HubMethod } from '../../hub-part.ts';
import { requireHandoff, viewNow, type HandoffServices } from '../handoff-services.ts';
import { acknowledge } from '../lease/transitions.ts';
import { changeAsHolder } from '../require-lease.ts';

/** `handoff/ack`: the successor has the packet and goes on; said again, it keeps the lease. */
export function acknowledgeMethod(services: HandoffServices): HubMethod {
  return {
    name: 'handoff/ack',
    spec: {
      description:
        'Acknowledges a claimed hand-off. The lease begins anew for its whole time; call it again to keep it longer.',
      required: ['handoff_id', 'lease_token'],
      accepts: ['handoff_id', 'lease_token'],
    },
    async handle(params, requestContext) {
      const { agent } = await services.context.identities.require(requestContext, params);
      const handoff = await requireHandoff(services, params, agent);
      const changed = await changeAsHolder(services, handoff, agent, params, acknowledge);
      return {
        ...(await viewNow(services, changed, agent)),
        next_action: 'Go on with message/send, with handoff_id and lease_token.',
      };
    },
  };
}
