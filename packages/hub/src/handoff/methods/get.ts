import type { HubMethod } from '../../hub-part.ts';
import { requireHandoff, viewNow, type HandoffServices } from '../handoff-services.ts';

/** `handoff/get`: one hand-off; who offered it sees who refused it and why. */
export function getMethod(services: HandoffServices): HubMethod {
  return {
    name: 'handoff/get',
    spec: {
      description:
        'Shows a hand-off: its status and holder, and to whoever offered it who refused it and why.',
      required: ['handoff_id'],
      accepts: ['handoff_id'],
    },
    async handle(params, requestContext) {
      const { agent } = await services.context.identities.require(requestContext, params);
      return viewNow(services, await requireHandoff(services, params, agent), agent);
    },
  };
}
