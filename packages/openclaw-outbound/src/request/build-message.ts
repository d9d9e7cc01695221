import type { JsonObject, Part, SendMessageConfiguration, SendMessageRequest } from '@holdword/protocol';
import { ROUTE_KEY } from '@holdword/protocol/internal';
import type { PushNotificationConfig, RemoteAgentRequest, RequestPart } from '../contract.ts';
import type { Destination } from './resolve-destination.ts';
import type { Route } from './route.ts';

export interface MessageFacts {
  readonly request: RemoteAgentRequest;
  readonly destination: Destination;
  readonly messageId: string;
  readonly route: Route;
  /** Used if the request does not set them. */
  readonly acceptedOutputModes: readonly string[];
  /** Ask the agent to respond before it is done; undefined uses the agent's default. */
  readonly returnImmediately: boolean | undefined;
}

/** Translates a tool request into an A2A request. */
export function buildMessage(facts: MessageFacts): SendMessageRequest {
  const { request, destination, messageId, route } = facts;
  const { taskId, contextId } = destination;
  const { reference_task_ids: referenceTaskIds, metadata } = request;
  return {
    message: {
      messageId,
      role: 'ROLE_USER',
      parts: (request.parts ?? []).map(buildPart),
      ...(contextId !== undefined && { contextId }),
      ...(taskId !== undefined && { taskId }),
      ...(referenceTaskIds && { referenceTaskIds }),
      metadata: { [ROUTE_KEY]: { hops: route.hops, origins: route.origins } },
    },
    configuration: buildConfiguration(facts),
    ...(metadata && { metadata }),
  };
}

export function buildPart(part: RequestPart): Part {
  const metadata = part.metadata && { metadata: part.metadata };
  switch (part.kind) {
    case 'text':
      return { text: part.text, ...metadata };
    case 'data':
      return { data: part.data, ...metadata };
    case 'file':
    default: {
      const { uri, bytes, name, mime_type: mediaType } = part;
      return {
        ...(uri === undefined ? { raw: bytes } : { url: uri }),
        ...(name !== undefined && { filename: name }),
        ...(mediaType !== undefined && { mediaType }),
        ...metadata,
      };
    }
  }
}

function buildConfiguration({
  request,
  acceptedOutputModes,
  returnImmediately,
}: MessageFacts): SendMessageConfiguration {
  const { history_length: historyLength, push_notification_config: push } = request;
  const modes = request.accepted_output_modes ?? acceptedOutputModes;
  return {
    // An empty list means no preference, but some agents read it as "nothing is accepted".
    ...(modes.length > 0 && { acceptedOutputModes: [...modes] }),
    ...(historyLength !== undefined && { historyLength }),
    ...(returnImmediately !== undefined && { returnImmediately }),
    ...(push && { taskPushNotificationConfig: buildPushConfig(push) }),
  };
}

function buildPushConfig({
  url,
  id,
  token,
  authentication,
}: PushNotificationConfig): JsonObject & { url: string } {
  const [scheme = ''] = authentication?.schemes ?? [];
  const credentials = authentication?.credentials;
  return {
    url,
    ...(id !== undefined && { id }),
    ...(token !== undefined && { token }),
    ...(authentication && {
      authentication: { scheme, ...(credentials !== undefined && { credentials }) },
    }),
  };
}
