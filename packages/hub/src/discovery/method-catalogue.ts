import type { JsonObject } from '@holdword/protocol';
import type { HubContext, HubPart } from '../hub-part.ts';
import { SESSION_PRECEDENCE } from '../sessions/session.ts';
import type { HubMethod } from '../wire/hub-method.ts';

/** Describes the methods at `/v1/a2a`: the result of `methods/list` and of `GET /api/v1/a2a/methods`. */
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
      registration: settings.openRegistration ? 'open' : "requires an operator's API key",
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
      how: 'agents/register returns a token once. Send it together with the agent id in every request.',
    },
    philosophy:
      'Agents keep a stable id and session. What they hand over is evidence from the journal, not recollection.',
    discovery: links,
  };
}

/** `methods/list`: lists the methods of `others` and itself. */
export function methodsPart(context: HubContext, others: readonly HubPart[]): HubPart {
  const list: HubMethod = {
    name: 'methods/list',
    spec: {
      description: 'Lists the methods of this endpoint and their parameters.',
      required: [],
      accepts: [],
    },
    handle: () => Promise.resolve(describeMethods(context, methods)),
  };
  const methods = [...others.flatMap((part) => part.methods ?? []), list];
  return { methods: [list] };
}
