import type { JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import type { HubRequestContext } from '../hub-part.ts';
import { configurationOf, firstHeader, firstText, metadataOf } from '../read-fields.ts';
import { SESSION_ID_HEADERS } from '../sessions/declared-sessions.ts';

/** What A2A 0.3 has in the parameters of `message/send` and in its configuration. */
const STANDARD_PARAMETERS = new Set(['message', 'configuration', 'metadata']);
const STANDARD_CONFIGURATION = new Set([
  'acceptedOutputModes',
  'blocking',
  'historyLength',
  'pushNotificationConfig',
]);
const HUB_METADATA = ['session_id', 'sessionId', 'agent_id', 'agentId', 'contextId', 'context_id'];

/**
 * Whether a `message/send` is that of A2A 0.3. Its messages have an id, which the hub's clients do not send; whatever
 * only the hub knows makes it the hub's.
 */
export function isStandardSend(params: JsonObject, requestContext: HubRequestContext): boolean {
  return (
    firstText(asObject(params['message']), ['messageId']) !== undefined &&
    Object.keys(params).every((name) => STANDARD_PARAMETERS.has(name)) &&
    Object.keys(configurationOf(params)).every((name) => STANDARD_CONFIGURATION.has(name)) &&
    firstText(metadataOf(params), HUB_METADATA) === undefined &&
    firstHeader(requestContext.headers, SESSION_ID_HEADERS) === undefined
  );
}
