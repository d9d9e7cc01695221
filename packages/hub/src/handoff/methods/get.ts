import type { HubMethod } from '../../wire/hub-method.ts';
import { type HandoffServices, requireHandoff, viewNow } from '../handoff-services.ts';

/** `handoff/get`: returns one hand-off; its owner and controller also see rejections. */
export function getMethod(services: HandoffServices): HubMethod {
  return {
    name: 'handoff/get',
    spec: {
      description:
        'Returns a hand-off with its status and holder. The owner of the task and its controller also see who rejected it and why.',
      required: ['handoff_id'],
      accepts: ['handoff_id'],
    },
    async handle(params, requestContext) {
      const { agent } = await services.context.identities.require(requestContext, params);
      return viewNow(services, await requireHandoff(services, params, agent), agent);
    },
  };
}
