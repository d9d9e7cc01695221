import type { JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import { SESSION_ID_HEADERS } from '../sessions/declared-sessions.ts';
import { configurationOf, firstHeader, firstText, metadataOf } from '../wire/read-fields.ts';
import type { HubRequestContext } from '../wire/request-context.ts';

/** The parameters and configuration fields of `message/send` in A2A 0.3. */
const STANDARD_PARAMETERS = new Set(['message', 'configuration', 'metadata']);
const STANDARD_CONFIGURATION = new Set([
  'acceptedOutputModes',
  'blocking',
  'historyLength',
  'pushNotificationConfig',
]);
const HUB_METADATA = ['session_id', 'sessionId', 'agent_id', 'agentId', 'contextId', 'context_id'];

/**
 * Whether a `message/send` request is plain A2A 0.3. Its messages have an id, which clients of the hub do not send; any
 * field or header that is specific to the hub makes it a hub request.
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
