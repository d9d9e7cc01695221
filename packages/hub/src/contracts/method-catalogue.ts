import type { JsonObject } from '@holdword/protocol';
import type { HubContext } from '../hub-context.ts';
import type { HubMethod } from '../hub-part.ts';
import { SESSION_PRECEDENCE } from '../sessions/session.ts';

/** What can be called at `/v1/a2a`, for programs: the answer of `methods/list` and of the methods page. */
export function describeMethods(
  { links, settings }: Pick<HubContext, 'links' | 'settings'>,
  methods: readonly HubMethod[],
): JsonObject {
  const sorted = methods.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return {
    name: 'holdword-hub',
    version: 'v2',
    endpoint: links.a2a_endpoint,
    methods: sorted.map(({ name }) => name),
    method_specs: Object.fromEntries(sorted.map(({ name, spec }) => [name, spec])),
    access: {
      registration: settings.openRegistration ? 'open' : 'with a key of the operator',
      requests_per_minute: settings.requestsPerMinute === 0 ? null : settings.requestsPerMinute,
      body_bytes: settings.bodyBytes,
      standard_a2a: ['1.0', '0.3'],
    },
    session_precedence: SESSION_PRECEDENCE,
    identity_auth: {
      headers: ['x-delx-agent-id', 'x-delx-agent-token'],
      aliases: [
        'x-agent-id',
        'x-openclaw-agent-id',
        'x-agent-token',
        'x-session-id',
        'x-controller-id',
        'x-agent-source',
      ],
      how: 'agents/register answers with a token once; send it with the agent id in every call.',
    },
    philosophy: 'Agents keep their own name and session; what they leave behind is evidence, not memory.',
    discovery: links,
  };
}
