import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHub } from '@holdword/hub';
import {
  addKey,
  apiKeyAuthentication,
  noAuthentication,
  serveRuntime,
  startRuntime,
  type Executor,
  type FallbackAction,
  type FallbackRejection,
  type Observer,
  type Runtime,
} from '@holdword/runtime';
import { openSqliteStore, type Store } from '@holdword/store';
import { onTestFinished } from 'vitest';
import type { ResponseOf } from '../api/endpoints.ts';
import { API_PATH, pathOf, ROUTES, type RouteName } from '../api/routes.ts';
import { createConsole, type Console, type ConsoleOptions } from '../server/create-console.ts';

/** Does what its message says. */
export const obedientAgent: Executor = {
  card: { name: 'Obedient', description: 'Does what its message says.' },
  async execute({ message, taskId }, sink) {
    const [verb, ...rest] = (message.parts[0]?.text ?? '').split(' ');
    if (verb === 'ask')
      return sink.askInput(rest.join(' ') || 'Which color?', { metadata: { choices: ['red', 'blue'] } });
    if (verb === 'wait') return new Promise(() => {});
    if (verb === 'chunks') {
      for (let index = 0; index < Number(rest[0]); index += 1)
        await sink.artifact({ artifactId: 'text', name: 'Text', parts: `${index} `, append: index > 0 });
      return sink.complete();
    }
    if (verb === 'versions') {
      await sink.artifact({ artifactId: 'text', parts: 'first' });
      await sink.artifact({ artifactId: 'text', parts: 'second', append: true });
      await sink.artifact({ artifactId: 'text', parts: 'new' });
      await sink.artifact({
        artifactId: 'file',
        parts: [
          { raw: Buffer.from('<b>').toString('base64'), mediaType: 'text/html', filename: 'ä"\n.html' },
        ],
      });
      return sink.complete();
    }
    await sink.status('Thinking.');
    await sink.status('Using a tool.', {
      metadata: { tool: { name: 'search', callId: 'c1', phase: 'start' } },
    });
    await sink.status('Found it.', { metadata: { tool: { name: 'search', callId: 'c1', phase: 'end' } } });
    return sink.complete(`${taskId.length > 0 ? 'Done: ' : ''}${rest.join(' ')}`);
  },
};

/** Who sends a request: with an API key, a cookie, or nothing. */
export type Sender = Readonly<Record<string, string>>;

export interface ApiAnswer<Name extends RouteName> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: ResponseOf<Name> & { error?: { code: string; message: string } };
}

export interface TestConsole {
  readonly url: string;
  readonly folder: string;
  readonly store: Store;
  readonly runtime: Runtime;
  readonly view: Console;
  readonly actions: readonly FallbackAction[];
  readonly rejections: readonly FallbackRejection[];
  /** Sends a request of the API. */
  call<Name extends RouteName>(
    name: Name,
    options?: {
      as?: Sender | undefined;
      path?: Record<string, string>;
      query?: Record<string, string | readonly string[]>;
      body?: unknown;
      headers?: Record<string, string>;
    },
  ): Promise<ApiAnswer<Name>>;
  /** The URL of a request. */
  urlOf(
    name: RouteName,
    path?: Record<string, string>,
    query?: Record<string, string | readonly string[]>,
  ): string;
  /** Creates an API key. */
  key(name: string, role?: 'caller' | 'operator'): Promise<Sender>;
}

export interface TestConsoleOptions extends Partial<Omit<ConsoleOptions, 'store' | 'runtime'>> {
  executor?: Executor;
  /** Whether callers need API keys. */
  keys?: boolean;
  store?: Store;
}

/** A server with a console on a free port, on SQLite in a temporary folder, which stops with its test. */
export async function startTestConsole(options: TestConsoleOptions = {}): Promise<TestConsole> {
  const { executor = obedientAgent, keys = true, ...more } = options;
  const folder = await mkdtemp(join(tmpdir(), 'holdword-console-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const store = options.store ?? (await openSqliteStore({ folder }));
  onTestFinished(() => store.close());
  const runtime = await startRuntime({ store, executor });
  onTestFinished(() => runtime.stop({ graceMilliseconds: 0 }));
  const actions: FallbackAction[] = [];
  const rejections: FallbackRejection[] = [];
  const observer: Observer = {
    fallbackActed: (action) => actions.push(action),
    fallbackRejected: (rejection) => rejections.push(rejection),
  };
  const authentication = keys ? apiKeyAuthentication(store) : noAuthentication();
  let view: Console | undefined;
  const served = await serveRuntime({
    runtime,
    port: 0,
    authentication,
    fallback: ({ url, card }) => {
      const created = createConsole({ authentication, url, card, observer, ...more, store, runtime });
      view = created;
      if (options.hub === undefined) return created.handle;
      const hub = createHub({ store, operations: runtime.operations, baseUrl: url, card, authentication });
      onTestFinished(() => hub.close());
      return (...request) => created.handle(...request) || hub.handle(...request);
    },
  });
  if (view === undefined) throw new Error('The server did not open its console.');
  const opened = view;
  onTestFinished(async () => {
    opened.close();
    await served.close({ graceMilliseconds: 0 });
  });
  const base = `${opened.url.slice(0, -1)}${API_PATH}`;
  const urlOf: TestConsole['urlOf'] = (name, path, query = {}) => {
    const url = new URL(`${base}${pathOf(name, path)}`);
    for (const [key, value] of Object.entries(query))
      for (const each of [value].flat()) url.searchParams.append(key, each);
    return url.href;
  };
  return {
    url: served.url,
    folder,
    store,
    runtime,
    view: opened,
    actions,
    rejections,
    urlOf,
    async call(name, { as = {}, path, query, body, headers } = {}) {
      const response = await fetch(urlOf(name, path, query), {
        method: ROUTES[name].method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          // As the page sends it.
          ...(as['cookie'] !== undefined && { origin: served.url }),
          ...as,
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.split(';')[0] === 'application/json';
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: isJson ? JSON.parse(text) : undefined,
      };
    },
    async key(name, role = 'caller') {
      const { token } = await addKey(store, { name, role });
      return { authorization: `Bearer ${token}` };
    },
  };
}

/** Sends a message as a viewer and returns the id of its task. */
export async function sendText(view: TestConsole, as: Sender, text: string): Promise<string> {
  const messageId = crypto.randomUUID();
  const { body, text: answer } = await view.call('sendMessage', {
    as,
    body: { messageId, parts: [{ text }] },
  });
  if (body.task === null || body.task === undefined) throw new Error(`Expected a task, found ${answer}`);
  return body.task.id;
}

/** The data of server-sent events, as they arrive. */
export async function* readEvents(
  url: string,
  as: Sender,
  signal: AbortSignal,
): AsyncGenerator<{ id?: string; data: unknown }> {
  const response = await fetch(url, { headers: as, signal });
  if (response.body === null || response.status !== 200)
    throw new Error(`HTTP ${response.status}: ${await response.text()}`);
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string): string | undefined =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2);
      const data = field('data');
      const id = field('id');
      if (data !== undefined && field('event') === undefined)
        yield { ...(id !== undefined && { id }), data: JSON.parse(data) };
    }
  }
}
