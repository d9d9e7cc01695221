import { createConsole } from '@holdword/console';
import {
  addKey,
  apiKeyAuthentication,
  noAuthentication,
  serveRuntime,
  startRuntime,
  type AgentDescription,
} from '@holdword/runtime';
import { openSqliteStore, type Store } from '@holdword/store';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, onTestFinished } from 'vitest';
import { ensureConsoleBuilt } from '../../../scripts/build/build-console.ts';
import type { TestBrowser, TestPage } from '../../support/browser.ts';
import type { Gates } from '../../support/gates.ts';
import { fillTasks } from '../../support/fill-tasks.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { consoleAgent } from './console-agent.ts';

export interface TestConsole {
  /** Of the console, with a slash at its end. */
  readonly url: string;
  readonly gates: Gates;
  readonly store: Store;
  /** A link that signs in once. */
  link(): Promise<string>;
  /** The token of a new key. */
  addKey(name: string, role?: 'operator' | 'caller'): Promise<string>;
  /** Sends a message to the agent, and resolves with the id of its task. */
  send(text: string, key?: string): Promise<string>;
}

/** Builds the page before the tests of a group. */
export function usePage(): void {
  beforeAll(() => ensureConsoleBuilt(), 120_000);
}

export interface ConsoleSettings {
  readonly keys?: boolean;
  readonly card?: Partial<AgentDescription>;
  /** How many tasks the store has before. */
  readonly filled?: number;
}

/** The agent of these tests with its console, on a free port. It is closed when the test ends. */
export async function startConsole({
  keys = false,
  card,
  filled = 0,
}: ConsoleSettings = {}): Promise<TestConsole> {
  const folder = await temporaryFolder();
  if (filled > 0) await fillTasks(folder.path, filled);
  const store = await openSqliteStore({ folder: folder.path });
  const agent = consoleAgent(card);
  const runtime = await startRuntime({ store, executor: agent });
  const authentication = keys ? apiKeyAuthentication(store) : noAuthentication();
  let mounted: ReturnType<typeof createConsole> | undefined;
  const served = await serveRuntime({
    runtime,
    authentication,
    port: 0,
    fallback: ({ url, card: shown }) => {
      mounted = createConsole({ store, runtime, authentication, url, card: shown, version: '1.0.0' });
      return mounted.handle;
    },
  });
  onTestFinished(async () => {
    mounted?.close();
    await served.close({ graceMilliseconds: 0 });
    await runtime.stop({ graceMilliseconds: 0 });
    await store.close();
    await folder.remove();
  });
  return {
    url: mounted?.url ?? '',
    gates: agent.gates,
    store,
    link: async () => (await mounted?.createLink()) ?? '',
    addKey: async (name, role = 'caller') => (await addKey(store, { name, role })).token,
    send: (text, key) => send(served.restUrl, text, key),
  };
}

async function send(restUrl: string, text: string, key: string | undefined): Promise<string> {
  const response = await fetch(`${restUrl}/message:send`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'a2a-version': '1.0',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({
      message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }] },
      configuration: { returnImmediately: true },
    }),
  });
  const answer = (await response.json()) as { task?: { id: string } };
  if (answer.task === undefined) throw new Error(`No task: ${JSON.stringify(answer)}`);
  return answer.task.id;
}

/** Opens the console with a link, and waits until it has signed in. */
export async function openConsole(
  browser: TestBrowser,
  server: TestConsole,
  options?: BrowserContextOptions,
): Promise<TestPage> {
  const opened = await browser.open(await server.link(), options);
  await opened.page.getByRole('navigation', { name: 'Console' }).waitFor();
  return opened;
}

/** The events of a task as the API of the console returns them, read with the session of the page. */
export async function journalOf(page: Page, taskId: string): Promise<{ sequence: number; event: unknown }[]> {
  const read = `fetch(new URL("api/tasks/${taskId}/events?after=0&limit=500", document.baseURI)).then((response) => response.json())`;
  const { events } = (await page.evaluate(read)) as { events: { sequence: number; event: unknown }[] };
  return events;
}

/** The sequence numbers of the rows that the list of events shows, in their order on the screen. */
export async function shownSequences(page: Page): Promise<number[]> {
  const rows = await page
    .locator('[data-sequence]')
    .evaluateAll((found) =>
      found.map(
        (row) => [row.getBoundingClientRect().top, Number(row.getAttribute('data-sequence'))] as const,
      ),
    );
  return rows.toSorted(([one], [other]) => one - other).map(([, sequence]) => sequence);
}
