import { createHash } from 'node:crypto';
import { headerValue } from '@holdword/runtime';
import type { z } from 'zod';
import type { HubPart } from '../hub-part.ts';
import { RestError, showValue } from '../wire/hub-error.ts';
import { HUB_PATHS } from '../wire/hub-links.ts';
import type { HubRoute, RouteAnswer, RouteRequest } from '../wire/hub-method.ts';
import type { HubRequestContext } from '../wire/request-context.ts';
import {
  AGENT_HEALTHS,
  AGENT_STATUSES,
  agentSchema,
  agentsPageSchema,
  ALARM_TYPES,
  alarmsPageSchema,
  alarmViewSchema,
  HANDOFF_STATUSES,
  handoffSchema,
  handoffsPageSchema,
  heartbeatsSchema,
  SESSION_STATUSES,
  sessionSchema,
  sessionsPageSchema,
} from './directory-schemas.ts';
import type { DirectoryPage, DirectoryQuery, HubDirectory, Viewer } from './hub-directory.ts';

export const DEFAULT_PAGE = 50;
export const MAX_PAGE = 200;

/** The filters of each list, and the values that they accept; undefined for any text. */
export const DIRECTORY_FILTERS = {
  agents: { status: AGENT_STATUSES, health: AGENT_HEALTHS, controller_id: undefined },
  sessions: { agent_id: undefined, status: SESSION_STATUSES },
  handoffs: { agent_id: undefined, status: ['open', ...HANDOFF_STATUSES] },
  alarms: { agent_id: undefined, type: ALARM_TYPES },
} as const satisfies Record<string, Readonly<Record<string, readonly string[] | undefined>>>;
export type DirectoryList = keyof typeof DIRECTORY_FILTERS;

const MEANINGS: Readonly<Record<DirectoryList, string>> = {
  agents: 'The agents, by id, with their health and newest metrics.',
  sessions: 'The sessions, newest first.',
  handoffs: 'The hand-offs, newest first. status=open: those that are offered or held.',
  alarms: 'The alarms, the latest last sign of life first.',
};

/**
 * The records of the hub over REST, read-only. An operator sees all of them, another caller of the server those of the agents
 * that it registered. Changes are JSON-RPC methods.
 */
export function directoryPart(directory: HubDirectory): HubPart {
  return {
    routes: [
      listRoute('agents', agentsPageSchema, (viewer, query) => directory.agents(viewer, query)),
      oneRoute(HUB_PATHS.agents, 'agent_id', agentSchema, (viewer, id) => directory.agent(viewer, id)),
      oneRoute(
        HUB_PATHS.agents,
        'agent_id',
        heartbeatsSchema,
        (viewer, id) => directory.heartbeats(viewer, id),
        {
          suffix: '/heartbeats',
          description:
            'The heartbeats of an agent as a series: errors, 95th percentile of the latency, queue.',
        },
      ),
      listRoute('sessions', sessionsPageSchema, (viewer, query) => directory.sessions(viewer, query)),
      oneRoute(HUB_PATHS.sessions, 'session_id', sessionSchema, (viewer, id) =>
        directory.session(viewer, id),
      ),
      listRoute('handoffs', handoffsPageSchema, (viewer, query) => directory.handoffs(viewer, query)),
      oneRoute(HUB_PATHS.handoffs, 'handoff_id', handoffSchema, (viewer, id) =>
        directory.handoff(viewer, id),
      ),
      listRoute('alarms', alarmsPageSchema, (viewer, query) => directory.alarms(viewer, query)),
      oneRoute(HUB_PATHS.alarms, 'alarm_id', alarmViewSchema, (viewer, id) => directory.alarm(viewer, id)),
    ],
  };
}

function listRoute<View>(
  list: DirectoryList,
  schema: z.ZodType,
  read: (viewer: Viewer, query: DirectoryQuery) => Promise<DirectoryPage<View>>,
): HubRoute {
  const filters: Readonly<Record<string, readonly string[] | undefined>> = DIRECTORY_FILTERS[list];
  const parameters: Readonly<Record<string, string>> = {
    limit: `Maximum number on a page, up to ${MAX_PAGE}. Default: ${DEFAULT_PAGE}.`,
    cursor: 'next_cursor of the previous page.',
    ...Object.fromEntries(
      Object.entries(filters).map(([name, values]) => [
        name,
        values === undefined ? `Only those with this ${name}.` : `One of ${values.join(', ')}. Default: any.`,
      ]),
    ),
  };
  return {
    verb: 'GET',
    path: HUB_PATHS[list],
    description: MEANINGS[list],
    query: parameters,
    schema,
    async answer({ requestContext, query }) {
      const viewer = viewerOf(requestContext);
      refuseUnknown(query.keys(), Object.keys(parameters));
      const { items, nextCursor } = await read(
        viewer,
        readQuery(list, (name) => query.get(name) ?? undefined),
      );
      return answerWith({ [list]: items, next_cursor: nextCursor }, requestContext);
    },
  };
}

/** A filter that is misspelled would silently return everything. */
function refuseUnknown(given: Iterable<string>, known: readonly string[]): void {
  for (const name of given) {
    if (known.includes(name)) continue;
    const hint = `Use one of ${known.join(', ')}, or omit it.`;
    throw new RestError(400, 'invalid_parameter', `There is no parameter ${showValue(name)}.`, hint);
  }
}

function oneRoute<View>(
  path: string,
  parameter: string,
  schema: z.ZodType,
  read: (viewer: Viewer, id: string) => Promise<View | undefined>,
  more: { suffix: string; description: string } = { suffix: '', description: `One of ${path}.` },
): HubRoute {
  return {
    verb: 'GET',
    path: `${path}/{${parameter}}${more.suffix}`,
    description: more.description,
    schema,
    async answer({ requestContext, segments }: RouteRequest) {
      const id = segments[parameter] ?? '';
      const found = await read(viewerOf(requestContext), id);
      if (found !== undefined) return answerWith(found, requestContext);
      const hint = 'Check the id. What belongs to another caller is shown to operators only.';
      throw new RestError(404, 'not_found', `There is no ${parameter} ${showValue(id)}.`, hint);
    },
  };
}

/** Reads page and filters of a list from their texts. Throws a RestError that says what is expected. */
export function readQuery(list: DirectoryList, given: (name: string) => string | undefined): DirectoryQuery {
  const filters: Readonly<Record<string, readonly string[] | undefined>> = DIRECTORY_FILTERS[list];
  const filter = (name: string): string | undefined => {
    const value = name in filters ? given(name) : undefined;
    const allowed = filters[name];
    if (value === undefined || allowed === undefined || allowed.includes(value)) return value;
    throw invalid(name, `one of ${allowed.join(', ')}`, value);
  };
  return {
    limit: readLimit(given('limit')),
    cursor: readCursor(list, given('cursor')),
    agentId: filter('agent_id'),
    controllerId: filter('controller_id'),
    status: filter('status'),
    health: filter('health'),
    type: filter('type'),
  };
}

function readLimit(text: string | undefined): number {
  const limit = Number(text ?? DEFAULT_PAGE);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_PAGE) return limit;
  throw invalid('limit', `an integer from 1 to ${MAX_PAGE}`, text);
}

/** A cursor is a position in a list. It opens nothing: each page has what its viewer may see. */
function readCursor(list: DirectoryList, text: string | undefined): string | undefined {
  const form = list === 'agents' ? /^[a-zA-Z0-9_.-]{1,96}$/ : /^\d{15}\/[a-zA-Z0-9_.-]{1,150}$/;
  if (text === undefined || form.test(text)) return text;
  throw invalid('cursor', 'next_cursor of the previous page', text);
}

function invalid(name: string, expected: string, found: unknown): RestError {
  const message = `Expected ${name} to be ${expected}, found ${showValue(found)}.`;
  return new RestError(400, 'invalid_parameter', message, `Set ${name} to ${expected}, or omit it.`);
}

function viewerOf({ callerKey, isOperator }: HubRequestContext): Viewer {
  if (isOperator) return { isOperator: true };
  if (callerKey !== undefined) return { isOperator: false, callerKey };
  throw new RestError(
    401,
    'credential_required',
    'This address requires an API key or token of the server.',
    'Create a key with "holdword keys add NAME --role operator" and send it as a bearer token, or use "holdword hub agents list" on the machine of the hub.',
    { 'WWW-Authenticate': 'Bearer' },
  );
}

const TAG_CHARACTERS = 27;

/** The answer depends on the credential, so no shared cache may keep it; a client that polls sends its tag. */
function answerWith(body: unknown, { headers }: HubRequestContext): RouteAnswer {
  const digest = createHash('sha256').update(JSON.stringify(body)).digest('base64url');
  const tag = `"${digest.slice(0, TAG_CHARACTERS)}"`;
  const cache = { ETag: tag, 'Cache-Control': 'private, no-cache', Vary: 'Authorization, X-API-Key' };
  const known = headerValue(headers, 'if-none-match')
    ?.split(',')
    .map((each) => each.trim().replace(/^W\//, ''));
  if (known?.includes(tag) === true) return { status: 304, body: null, headers: cache };
  return { status: 200, body, headers: cache };
}
