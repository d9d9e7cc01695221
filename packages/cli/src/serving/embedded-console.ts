import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditTail, Console } from '@holdword/console';
import { ServerSeries } from '@holdword/console/internal/series';
import { createLinkToken } from '@holdword/console/internal/sessions';
import type {
  AgentCard,
  Authentication,
  FallbackHandler,
  Log,
  Observer,
  Runtime,
  ServeRuntimeOptions,
} from '@holdword/runtime';
import { observeWith } from '@holdword/runtime/internal';
import type { Store } from '@holdword/store';
import type { Config } from '../config/config-schema.ts';
import { version } from '../version.ts';
import { hubSettings } from './embedded-hub.ts';
import { isOnLocalDisk, type StoreLocation } from './open-store.ts';

const PATH = '/console';

export interface EmbeddedConsoleOptions {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly authentication: Authentication;
  readonly location: StoreLocation;
  readonly auditFile: string | undefined;
  readonly openStreams: () => number;
  readonly log: Log;
}

/** The console on the server of an agent. */
export interface EmbeddedConsole {
  /** Observes the runtime for the plots, and forwards to the observer of the server. */
  readonly observer: Observer;
  /** The console starts when the server knows its address. */
  open(options: EmbeddedConsoleOptions): NonNullable<ServeRuntimeOptions['fallback']>;
  /** Where it is. On a server without credentials, a link that signs in once. Undefined before it is open. */
  address(): Promise<string | undefined>;
  close(): Promise<void>;
}

/**
 * The console is a lot of code, which is loaded when somebody opens it. What happens on the server is counted from the start.
 * Undefined if it is off.
 */
export function startEmbeddedConsole(
  config: Pick<Config, 'console' | 'hub' | 'hubOptions'>,
  observer: Observer,
): EmbeddedConsole | undefined {
  if (!config.console.enabled) return undefined;
  const series = new ServerSeries();
  const watching = observeWith([observer, series.observer]);
  let opened: { url: string; options: EmbeddedConsoleOptions } | undefined;
  let loading: Promise<Console> | undefined;

  async function load(
    { store, runtime, authentication, auditFile, log }: EmbeddedConsoleOptions,
    agent: { url: string; card: AgentCard },
  ): Promise<Console> {
    const { createConsole } = await import('@holdword/console');
    const { recordingText } = await import('../recording/write-recording.ts');
    const { storedEvents } = await import('../recording/task-events.ts');
    return createConsole({
      store,
      runtime,
      authentication,
      ...agent,
      path: PATH,
      hub: config.hub ? await hubSettings(config) : undefined,
      observer: watching,
      series,
      audit: auditFile === undefined ? undefined : auditTail(auditFile),
      exportTask: async function* recordingOf({ taskId }) {
        yield* recordingText(await storedEvents(store, taskId));
      },
      allowPrivate: config.console.allowPrivate,
      version: version(),
      log,
    });
  }

  return {
    observer: watching,
    open: (options) => (agent) => {
      opened = { url: agent.url, options };
      const { runtime, location, openStreams } = options;
      series.start({
        activity: () => runtime.activity,
        push: () => runtime.pushHealth(),
        openStreams,
        storeBytes: storeSize(location),
      });
      const handle: FallbackHandler = (path, query, request, response) => {
        if (path !== PATH && !path.startsWith(`${PATH}/`)) return false;
        loading ??= load(options, agent);
        loading.then(
          (view) => view.handle(path, query, request, response),
          (error: unknown) => {
            loading = undefined;
            options.log.error('The console could not be loaded.', { error: String(error) });
            response.writeHead(500, { 'Content-Type': 'text/plain' }).end('The console could not be loaded.');
          },
        );
        return true;
      };
      return handle;
    },
    async address() {
      if (opened === undefined) return undefined;
      const { url, options } = opened;
      const isOpen = Object.keys(options.authentication.securitySchemes).length === 0;
      return isOpen ? `${url}${PATH}/#link=${await createLinkToken(options.store)}` : `${url}${PATH}/`;
    },
    async close() {
      series.stop();
      (await loading?.catch(() => undefined))?.close();
    },
  };
}

const DATABASE_FILES = ['holdword.db', 'holdword.db-wal'];

/** The size of the files of SQLite. Of other stores it is not known. */
function storeSize(location: StoreLocation): (() => Promise<number | undefined>) | undefined {
  if (location.kind !== 'sqlite' || !isOnLocalDisk(location)) return undefined;
  const { folder } = location;
  return async () => {
    const sizes = DATABASE_FILES.map((file) =>
      stat(join(folder, file)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  };
}

/** Lines are a few hundred bytes: this is more than a page shows. */
const TAIL_BYTES = 512 * 1024;

function auditTail(file: string): AuditTail {
  return {
    async read(limit) {
      const handle = await open(file, 'r').catch(() => undefined);
      if (handle === undefined) return [];
      try {
        const { size } = await handle.stat();
        const start = Math.max(0, size - TAIL_BYTES);
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
        const lines = buffer
          .subarray(0, bytesRead)
          .toString()
          .split('\n')
          .filter((line) => line !== '');
        // The first line is cut off unless the file begins with it.
        return lines
          .slice(start === 0 ? 0 : 1)
          .slice(-limit)
          .toReversed();
      } finally {
        await handle.close();
      }
    },
  };
}
