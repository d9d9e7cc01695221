import type { HubMethod } from '../../hub-part.ts';
import { requireHandoff, viewNow, type HandoffDesk } from '../handoff-desk.ts';

/** `handoff/get`: one hand-off; who offered it sees who refused it and why. */
export function getMethod(desk: HandoffDesk): HubMethod {
  return {
    name: 'handoff/get',
    spec: {
      description:
        'Shows a hand-off: its status and holder, and to whoever offered it who refused it and why.',
      required: ['handoff_id'],
      accepts: ['handoff_id'],
    },
    async handle(params, call) {
      const { agent } = await desk.context.identities.require(call, params);
      return viewNow(desk, await requireHandoff(desk, params, agent), agent);
    },
  };
}
