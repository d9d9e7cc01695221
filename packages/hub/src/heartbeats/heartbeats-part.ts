import type { HubContext, HubPart } from '../hub-part.ts';
import { cadenceFields } from './cadence-fields.ts';
import { heartbeatBundle } from './heartbeat-bundle.ts';
import type { Heartbeats } from './heartbeats.ts';

/** Heartbeats: the `heartbeat/bundle` method, and the recommended interval in answers to messages. */
export function heartbeatsPart(context: HubContext, heartbeats: Heartbeats): HubPart {
  return {
    methods: [heartbeatBundle(context, heartbeats)],
    enrich: async ({ identity }) => cadenceFields(await heartbeats.read(identity.agentId), context.now()),
  };
}
