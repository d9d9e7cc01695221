import type { HubMethod } from '../../wire/hub-method.ts';
import { type HandoffServices, requireHandoff, viewNow } from '../handoff-services.ts';
import { acknowledge } from '../lease/transitions.ts';
import { changeAsHolder } from '../require-lease.ts';

/** `handoff/ack`: the successor accepts the task; repeating the call renews the lease. */
export function acknowledgeMethod(services: HandoffServices): HubMethod {
  return {
    name: 'handoff/ack',
    spec: {
      description:
        'Acknowledges a claimed hand-off and starts the full lease. Call it again to renew the lease.',
      required: ['handoff_id', 'lease_token'],
      accepts: ['handoff_id', 'lease_token'],
    },
    async handle(params, requestContext) {
      const { agent } = await services.context.identities.require(requestContext, params);
      const handoff = await requireHandoff(services, params, agent);
      const changed = await changeAsHolder(services, handoff, agent, params, acknowledge);
      return {
        ...(await viewNow(services, changed, agent)),
        next_action: 'Continue the task: call message/send with handoff_id and lease_token.',
      };
    },
  };
}
