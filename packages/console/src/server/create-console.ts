import { fileURLToPath } from 'node:url';
import type { HubSettings } from '@holdword/hub';
import { createGuardedClient } from '@holdword/net/internal';
import { A2AError, type AgentCard, FORK_EXTENSION } from '@holdword/protocol';
import { checkArgument, hasMethods, trimEndOf } from '@holdword/protocol/internal';
import type { Authentication, FallbackHandler, Log, Observer, Runtime } from '@holdword/runtime';
import { noopLog } from '@holdword/runtime/internal';
import type { Store, TaskHeader } from '@holdword/store';
import { z } from 'zod';
import { API_PATH } from '../api/routes.ts';
import type { Session } from '../api/session.ts';
import { Agents } from './agents.ts';
import type { ApiHandlers, ApiRequest } from './api-request.ts';
import { Artifacts } from './artifacts.ts';
import { Assets } from './assets.ts';
import { createActionRecorder, type AuditTail } from './audit.ts';
import { createConsoleHandler } from './console-handler.ts';
import { createHubPages, noHubPages } from './hub-pages.ts';
import { Journals } from './journal.ts';
import { openApiDocument } from './openapi.ts';
import { createOperationsPages } from './operations-pages.ts';
import { ServerSeries } from './series.ts';
import { createLinkToken, Sessions, type Viewer } from './sessions.ts';
import { Streams } from './streams.ts';
import { TaskActions, type Acting } from './task-actions.ts';
import { scopeOf, TaskList } from './task-list.ts';
import { TaskWatch } from './watch-tasks.ts';

/** Options of {@link createConsole}. */
export interface ConsoleOptions {
  /** The store of the runtime. */
  store: Store;
  /** The runtime whose tasks the console shows. */
  runtime: Pick<Runtime, 'operations' | 'processName' | 'activity' | 'pushHealth'>;
  /** Identifies callers, as on the agent's own endpoints. Keys with the role `operator` see everything. */
  authentication: Authentication;
  /** The card of the agent. */
  card: AgentCard;
  /** The public URL of the server, without a trailing slash and without the path of the console. */
  url: string;
  /**
   * Where the console is mounted.
   * @default '/console'
   */
  path?: string | undefined;
  /**
   * Shows the hub whose records are in the store, with its settings.
   * @default none
   */
  hub?: Partial<HubSettings> | undefined;
  /** Is told of rejected requests and of what operators do, for the audit log. */
  observer?: Observer | undefined;
  /**
   * Counts what the server does, for the plots. Start and stop it yourself, and pass its `observer` to the runtime and the server.
   * @default one that counts nothing, and shows what can be read
   */
  series?: ServerSeries | undefined;
  /** Reads the newest lines of the audit log. Without it, the console does not show them. */
  audit?: AuditTail | undefined;
  /** Writes a task with its journal as lines of JSON, for download. Without it, the console does not offer that. */
  exportTask?: ((task: TaskHeader) => AsyncIterable<string>) | undefined;
  /**
   * Hosts, addresses and IP ranges in private networks that remote agents may be added from. Link-local and cloud metadata
   * addresses stay refused.
   * @default none
   */
  allowPrivate?: readonly string[] | undefined;
  /**
   * The folder with the built files of the page.
   * @default the files of this package
   */
  assets?: string | undefined;
  /**
   * Version of the serving program, shown in the console.
   * @default '0.0.0'
   */
  version?: string | undefined;
  /** @default a logger that discards everything */
  log?: Log | undefined;
  /**
   * Current time in milliseconds since the epoch.
   * @default Date.now
   */
  now?: (() => number) | undefined;
}

/** A console that is mounted on the server of an agent. */
export interface Console {
  /** Handles the paths of the console. Pass it to `serveRuntime` as `fallback`, or call it from another handler. */
  readonly handle: FallbackHandler;
  /** The URL of the console. */
  readonly url: string;
  /** A link that signs its first visitor in as an operator, once. */
  createLink(): Promise<string>;
  /** Ends open streams. */
  close(): void;
}

/** What a program in JavaScript gets wrong most easily. */
const optionsSchema = z.looseObject({
  store: z.custom<Store>(
    (value) => hasMethods(value, 'listAllTasks'),
    'expected a store, such as await openSqliteStore({ folder })',
  ),
  runtime: z.custom<Runtime>(
    (value) => typeof (value as Runtime | undefined)?.operations === 'object',
    'expected a runtime, such as await startRuntime({ store, executor })',
  ),
  authentication: z.custom<Authentication>(
    (value) => hasMethods(value, 'authenticate'),
    'expected an authentication, such as noAuthentication()',
  ),
  url: z.string().refine((url) => URL.canParse(url), 'expected a URL'),
  path: z
    .string()
    .regex(/^(?:\/[\w.~-]+)+$/, 'expected a path without a slash at its end, such as /console')
    .optional(),
});

/** From the sources and from the compiled package alike. */
const ASSETS = fileURLToPath(new URL('../../dist/app/', import.meta.url));

/**
 * Creates the console of an agent: a page and its API, below one path of the agent's server. Callers sign in as they do on the
 * agent's own endpoints; on a server without credentials, they need a link.
 *
 * @example
 * ```ts
 * import { createConsole } from '@holdword/console';
 * import { noAuthentication, openMemoryStore, serveRuntime, startRuntime, type Executor } from '@holdword/runtime';
 *
 * const store = openMemoryStore();
 * const executor: Executor = { execute: (turn, sink) => sink.complete('Hello.') };
 * const runtime = await startRuntime({ store, executor });
 * const authentication = noAuthentication();
 * let link: Promise<string> | undefined;
 * await serveRuntime({
 *   runtime,
 *   authentication,
 *   fallback: ({ url, card }) => {
 *     const viewed = createConsole({ store, runtime, authentication, url, card });
 *     link = viewed.createLink();
 *     return viewed.handle;
 *   },
 * });
 * console.log(`Open ${await link}`);
 * ```
 * @throws TypeError if an option is not what it should be.
 */
export function createConsole(options: ConsoleOptions): Console {
  checkArgument('createConsole({ store, runtime, authentication, card, url })', optionsSchema, options);
  const { store, runtime, authentication, path = '/console', observer = {}, log = noopLog } = options;
  const serverUrl = trimEndOf(options.url, '/');
  const cookieName = `holdword_console_${new URL(serverUrl).port || 'default'}`;
  const sessions = new Sessions({ store, authentication, cookieName, now: options.now ?? Date.now });
  const series = options.series ?? new ServerSeries();
  const isOwn = options.series === undefined;
  if (isOwn) series.start({ activity: () => runtime.activity, push: () => runtime.pushHealth() });
  const streams = new Streams();
  const client = createGuardedClient({
    allow: options.allowPrivate ?? [],
    trustedOrigins: [new URL(serverUrl).origin],
  });
  const list = new TaskList(store);
  const watch = new TaskWatch(store, list);
  const handlers = createHandlers(options, { sessions, series, list, watch, client, serverUrl, path });
  return {
    url: `${serverUrl}${path}/`,
    createLink: async () => `${serverUrl}${path}/#link=${await createLinkToken(store, options.now)}`,
    handle: createConsoleHandler({
      path,
      serverUrl,
      handlers,
      sessions,
      cookieName,
      assets: new Assets(options.assets ?? ASSETS),
      streams,
      observer,
      log,
    }),
    close() {
      if (isOwn) series.stop();
      streams.close();
      watch.close();
      client.close();
    },
  };
}

interface Parts {
  readonly sessions: Sessions;
  readonly series: ServerSeries;
  readonly list: TaskList;
  readonly watch: TaskWatch;
  readonly client: ReturnType<typeof createGuardedClient>;
  readonly serverUrl: string;
  readonly path: string;
}

function createHandlers(options: ConsoleOptions, parts: Parts): ApiHandlers {
  const { store, runtime, card, audit, exportTask, observer = {}, version: ownVersion = '0.0.0' } = options;
  const { sessions, series, list, watch, client, serverUrl, path } = parts;
  const { operations, processName } = runtime;
  const record = createActionRecorder(observer);
  const hub = options.hub === undefined ? noHubPages() : createHubPages(store, options.hub);
  const journals = new Journals(store);
  const artifacts = new Artifacts(store);
  const agents = new Agents({ store, card, serverUrl, client });
  const tasks = new TaskActions({
    store,
    operations,
    processName,
    handoffOf: (taskId) => hub.handoffOf(taskId),
    record,
  });
  const startedAt = new Date(Date.now() - process.uptime() * 1_000).toISOString();
  // A runtime that forks tasks declares it on the card.
  const canFork = card.capabilities.extensions?.some(({ uri }) => uri === FORK_EXTENSION) === true;
  const headerOf = ({ viewer, parameters }: { viewer: Viewer; parameters: ApiRequest['parameters'] }) =>
    tasks.require(viewer, parameters['taskId'] ?? '');

  return {
    ...hub.handlers,
    ...createOperationsPages({ store, processName, series, audit, record }),

    getSession: async ({ viewer }): Promise<Session> => ({
      signedIn: viewer !== undefined,
      signInWith: [sessions.isOpen ? 'link' : 'credential'],
      user: viewer === undefined ? null : userOf(viewer),
      server:
        viewer === undefined
          ? null
          : {
              version: ownVersion,
              startedAt,
              process: processName,
              store: store.kind,
              agent: card.name,
              url: serverUrl,
            },
      features:
        viewer === undefined
          ? null
          : {
              hub: options.hub !== undefined,
              push: runtime.pushHealth().enabled,
              fork: canFork,
              export: exportTask !== undefined,
              keys: !sessions.isOpen,
              audit: audit !== undefined,
              remoteAgents: true,
            },
    }),

    async listTasks({ viewer, query: { cursor, limit, ...filter } }) {
      const scope = scopeOf(viewer, filter);
      if (scope !== undefined) return list.page(scope, cursor, limit);
      return { tasks: [], sortedBy: 'statusAt', nextCursor: null, total: 0, searchedUntil: null };
    },
    async watchTasks({ viewer, query, signal }) {
      const scope = scopeOf(viewer, query);
      return scope === undefined ? nothingUntil(signal) : watch.watch(scope, signal);
    },
    cancelTasks: (request) => tasks.cancelAll(acting(request), request.body.ids),

    getTask: ({ viewer, parameters }) => tasks.detail(viewer, parameters['taskId'] ?? ''),
    listEvents: async (request) => journals.events(await headerOf(request), request.query),
    async watchTask(request) {
      const { taskId } = await headerOf(request);
      const after = Math.max(request.query.after, request.lastEventId ?? 0);
      return journals.follow(taskId, after, request.signal);
    },
    getTimeline: async (request) => journals.timeline(await headerOf(request), request.query.limit),
    async getConversation(request) {
      const { after, before, limit } = request.query;
      const header = await headerOf(request);
      return after === undefined
        ? journals.newestConversation(header, before, limit)
        : journals.conversation(header, after, limit);
    },
    async getArtifact(request) {
      const { artifactId = '' } = request.parameters;
      return artifacts.detail(await headerOf(request), artifactId, request.query.version);
    },
    async getArtifactContent(request) {
      const { artifactId = '' } = request.parameters;
      const { version, part, download } = request.query;
      return artifacts.content(await headerOf(request), artifactId, {
        version,
        part,
        download: download === 'true',
      });
    },
    async cancelTask(request) {
      const taskId = request.parameters['taskId'] ?? '';
      await tasks.cancel(acting(request), taskId);
      return tasks.detail(request.viewer, taskId);
    },
    async forkTask(request) {
      const { taskId } = await headerOf(request);
      if (!canFork) throw notOffered('Forking tasks');
      return { task: await tasks.fork(acting(request), taskId, request.body) };
    },
    async exportTask(request) {
      const header = await headerOf(request);
      if (exportTask === undefined) throw notOffered('Exporting tasks');
      if (header.firstSequence > 1) {
        throw new A2AError(
          'UNSUPPORTED_OPERATION',
          'Retention has removed events of this task, so it cannot be exported.',
        );
      }
      const pieces = exportTask(header);
      return { name: `${header.taskId}.jsonl`, contentType: 'application/jsonl', inline: false, pieces };
    },
    sendMessage: (request) => tasks.send(acting(request), request.body),

    listAgents: async () => ({ agents: await agents.list() }),
    getAgent: (request) => agents.detail(request.viewer.sessionId, agentIdIn(request)),
    async addAgent({ viewer, peer, body }) {
      const added = await agents.add(viewer.sessionId, body.url);
      record(viewer, peer, 'console-agent-added', { agent: added.id });
      return added;
    },
    async removeAgent({ viewer, peer, parameters }) {
      const id = agentIdIn({ parameters });
      await agents.remove(id);
      record(viewer, peer, 'console-agent-removed', { agent: id });
      return { done: true };
    },
    refreshAgent: (request) => agents.refresh(request.viewer.sessionId, agentIdIn(request)),
    tryAgent: (request) =>
      agents.try(request.viewer.sessionId, agentIdIn(request), request.body, request.signal),
    setAgentCredential: (request) =>
      agents.setCredential(request.viewer.sessionId, agentIdIn(request), request.body, request.signal),
    async removeAgentCredential(request) {
      agents.removeCredential(request.viewer.sessionId, agentIdIn(request));
      return { done: true };
    },

    getOpenApi: async () =>
      openApiDocument(ownVersion, `${new URL(serverUrl).pathname.replace(/\/$/, '')}${path}${API_PATH}`),
  };
}

function agentIdIn({ parameters }: Pick<ApiRequest, 'parameters'>): string {
  return parameters['agentId'] ?? '';
}

function userOf({ isOperator, name, owner, expiresAt }: Viewer): Session['user'] {
  return {
    role: isOperator ? 'operator' : 'caller',
    name,
    tenant: owner.tenant === '' ? null : owner.tenant,
    expiresAt: new Date(expiresAt).toISOString(),
  };
}

function acting({
  viewer,
  peer,
  signal,
}: {
  viewer: Viewer;
  peer: string | undefined;
  signal: AbortSignal;
}): Acting {
  return { viewer, peer, signal };
}

/** The changes of a list that is always empty. */
async function* nothingUntil(signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  yield '';
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

function notOffered(what: string): A2AError {
  return new A2AError('UNSUPPORTED_OPERATION', `${what} is not offered by this server.`);
}
