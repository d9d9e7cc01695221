import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasBrowser, startBrowser, type TestPage } from '../../test/support/browser.ts';
import { freePort } from '../../test/support/free-port.ts';
import { runExample } from '../../test/support/run-example.ts';
import { spawnHoldword, type ServedHoldword } from '../../test/support/spawn-holdword.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';

const COUNT = 12;
const DONE = 'TASK_STATE_COMPLETED';

interface SeenEvent {
  readonly id: number;
  readonly task?: { id: string };
  readonly artifactUpdate?: { taskId: string; artifact: { parts: { text: string }[] } };
}

/** The pages of the example on their own origin. */
async function servePages(): Promise<string> {
  const pages = runExample('browser/serve-pages.mjs', ['0']);
  await pages.printed(/open (\S+)/);
  return new URL(/open (\S+)/.exec(pages.output())?.[1] ?? '').origin;
}

/** The agent of the example, which can be killed and started again where it was. */
async function serveCounter(origins: readonly string[]) {
  const folder = await temporaryFolder();
  const config = join(folder.path, 'holdword.config.json');
  const agent = join(import.meta.dirname, 'slow-counter.mjs');
  await writeFile(config, JSON.stringify({ agent, cors: { origins } }));
  const port = await freePort();
  const start = (milliseconds: number): Promise<ServedHoldword> =>
    spawnHoldword(['--config', config, '--data', folder.path, '--port', String(port), '--grpc-port', 'off'], {
      environment: { COUNTER_MILLISECONDS: String(milliseconds) },
    });
  // Slow enough that it is killed while it counts, however busy the machine is.
  let server = await start(500);
  onTestFinished(async () => {
    await server.kill();
    await folder.remove();
  });
  return {
    url: server.target.baseUrl,
    rest: server.target.restUrl,
    async restart() {
      // kill -9
      await server.kill();
      server = await start(20);
    },
  };
}

function seenBy({ page }: TestPage): Promise<SeenEvent[]> {
  return page.evaluate(() => (globalThis as unknown as { events: SeenEvent[] }).events);
}

/** Waits until the page has seen a number of events. */
async function hasSeen({ page }: TestPage, count: number): Promise<void> {
  await page.waitForFunction(
    (least) => (globalThis as unknown as { events: unknown[] }).events.length >= least,
    count,
  );
}

async function send({ page }: TestPage, agent: string, text: string): Promise<void> {
  await page.fill('[name=agent]', agent);
  await page.fill('[name=text]', text);
  await page.click('button');
}

/** The page has seen the events from `first` on as the journal has them, and every number once. */
async function expectAllOnce(seen: readonly SeenEvent[], rest: string, first = 1): Promise<void> {
  const taskId = seen.map(({ task, artifactUpdate }) => task?.id ?? artifactUpdate?.taskId).find(Boolean);
  const replay = await fetch(`${rest}/tasks/${taskId}:subscribe`, {
    headers: {
      'A2A-Version': '1.0',
      'A2A-Extensions': 'urn:holdword:a2a:resume:v1',
      'Last-Event-ID': '0',
    },
  });
  const frames = (await replay.text()).matchAll(/^id: (\d+)\ndata: (.*)$/gm);
  const journal = [...frames].map(([, id, data = '']) => ({
    id: Number(id),
    ...(JSON.parse(data) as object),
  }));
  // The task, its start, the numbers, its end, and the start after it was interrupted.
  expect(journal).toHaveLength(COUNT + 4);
  expect(seen).toEqual(journal.slice(first - 1));
  const numbers = seen.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts ?? []);
  expect(numbers.map(({ text }) => Number(text))).toEqual(upTo(COUNT).slice(-numbers.length));
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

describe.skipIf(!hasBrowser)('a page of another origin, in a browser', () => {
  const browser = startBrowser();

  test('streams, loses its agent to kill -9, and resumes with nothing missing or doubled', async () => {
    const pages = await servePages();
    const agent = await serveCounter([pages]);
    const opened = await browser.open(pages);
    await send(opened, agent.url, `count to ${COUNT}`);
    await hasSeen(opened, 3);
    await agent.restart();
    await opened.page.getByText(DONE).waitFor();
    await expectAllOnce(await seenBy(opened), agent.rest);
    const shown = await opened.page.textContent('output');
    expect(shown?.trim().split('\n').map(Number)).toEqual(upTo(COUNT));
  });

  test('watches with an EventSource, which does the same, from any event on', async () => {
    const pages = await servePages();
    const agent = await serveCounter([pages]);
    const sent = await fetch(`${agent.rest}/message:send`, {
      method: 'POST',
      headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
      body: JSON.stringify({
        message: { role: 'ROLE_USER', messageId: 'm', parts: [{ text: `count to ${COUNT}` }] },
        configuration: { returnImmediately: true },
      }),
    });
    const { task } = (await sent.json()) as { task: { id: string } };
    const query = new URLSearchParams({ rest: agent.rest, task: task.id, after: '0' });
    const opened = await browser.open(`${pages}/event-source.html?${query.toString()}`);
    await hasSeen(opened, 3);
    await agent.restart();
    await opened.page.getByText(DONE).waitFor();
    await expectAllOnce(await seenBy(opened), agent.rest);

    // A page that is opened after the task has ended replays it, and stops.
    query.set('after', '6');
    const later = await browser.open(`${pages}/event-source.html?${query.toString()}`);
    await later.page.getByText(DONE).waitFor();
    await expectAllOnce(await seenBy(later), agent.rest, 7);
  });

  test('that is not allowed reads the card, and nothing else', async () => {
    const pages = await servePages();
    const agent = await serveCounter(['https://app.example']);
    const opened = await browser.open(pages);
    await send(opened, agent.url, 'count to 3');
    await opened.page.getByText('Reconnecting').waitFor();
    expect(await seenBy(opened)).toEqual([]);
    expect(opened.console.join('\n')).toMatch(/message:stream.*blocked by CORS policy/);
    expect(opened.console.join('\n')).not.toMatch(/agent-card\.json.*blocked/);
  });
});

test('the configuration names the page that the example serves', async () => {
  const config = await readFile(join(import.meta.dirname, 'holdword.config.json'), 'utf8');
  const readme = await readFile(join(import.meta.dirname, 'README.md'), 'utf8');
  const [origin] = (JSON.parse(config) as { cors: { origins: string[] } }).cors.origins;
  expect(readme).toContain(`open ${origin}/`);
});
