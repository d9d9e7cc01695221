import type { AgentExtension } from '@holdword/protocol';
import { headerValue, unauthenticated, type Authentication } from '@holdword/runtime';
import {
  AGENT_ID_HEADERS,
  AGENT_TOKEN_HEADERS,
  agentToken,
  CONTROLLER_ID_HEADERS,
  CONTROLLER_TOKEN_HEADERS,
  SOURCE_HEADERS,
} from '../identity/declared-agent.ts';
import { SESSION_ID_HEADERS } from '../sessions/declared-sessions.ts';
import { hubLinks } from '../wire/hub-links.ts';

const HUB_EXTENSION = 'urn:holdword:a2a:hub:v1';

/**
 * The request headers of a hub, for web pages that call it. Pass them to `serveRuntime` as `cors.headers`.
 *
 * @example
 * ```ts
 * const cors = { origins: ['https://app.example'], headers: HUB_HEADERS };
 * ```
 */
export const HUB_HEADERS: readonly string[] = [
  ...AGENT_ID_HEADERS,
  ...AGENT_TOKEN_HEADERS,
  ...CONTROLLER_ID_HEADERS,
  ...CONTROLLER_TOKEN_HEADERS,
  ...SESSION_ID_HEADERS,
  ...SOURCE_HEADERS,
];

/**
 * The extension that leads from the agent card to the hub: its params are the URLs of the hub. Pass it to `serveRuntime`
 * as `extensions`.
 *
 * @example
 * ```ts
 * const [extension] = hubExtensions('https://hub.example');
 * console.log(extension?.params?.['a2a_endpoint']); // https://hub.example/v1/a2a
 * ```
 */
export function hubExtensions(baseUrl: string): AgentExtension[] {
  return [
    {
      uri: HUB_EXTENSION,
      description:
        'A hub for agents. Register with agents/register at a2a_endpoint, which also serves A2A 1.0 and 0.3 to registered agents.',
      required: false,
      params: { ...hubLinks(baseUrl) },
    },
  ];
}

/**
 * Makes the A2A endpoints of the server reject the identity headers of a hub's agents. They were ignored otherwise, and the
 * agent would not own the task that it starts. Agents use `/v1/a2a`, where a task that was handed over is protected from its
 * owner. Pass the result to `serveRuntime`, and the unchanged authentication to `createHub`.
 *
 * @example
 * ```ts
 * const store = openMemoryStore();
 * const runtime = await startRuntime({ store, executor: createResponder({ store }) });
 * const authentication = noAuthentication();
 * await serveRuntime({
 *   runtime,
 *   authentication: rejectAgentTokens(authentication),
 *   extensions: hubExtensions,
 *   fallback: ({ url, card }) =>
 *     createHub({ store, operations: runtime.operations, baseUrl: url, card, authentication }).handle,
 * });
 * ```
 */
export function rejectAgentTokens(authentication: Authentication): Authentication {
  return {
    ...authentication,
    async authenticate(headers) {
      // The other names of the id header are in use elsewhere, so alone they do not claim to be an agent of a hub.
      if (agentToken(headers) !== undefined || headerValue(headers, 'x-delx-agent-id') !== undefined) {
        throw unauthenticated(
          `Agents of the hub are not identified at this address. Send the request to the a2a_endpoint of the extension ${HUB_EXTENSION} on the agent card, or without the agent's id and token.`,
        );
      }
      return authentication.authenticate(headers);
    },
  };
}
