import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HoldwordProcess } from '@holdword/cli/testing';
import { hasBrowser, startBrowser } from '../../support/browser.ts';
import { freePort } from '../../support/free-port.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { journalOf, shownSequences, usePage } from './start-console.ts';

const SLOW = { timeout: 60_000 };
const TALL = { viewport: { width: 1280, height: 2600 } };

/** Writes ten lines, then waits for ever; when it is resumed, it writes ten more and ends. */
const AGENT = `
  export default {
    card: { name: 'Patient', description: 'Waits.', version: '1', skills: [] },
    async resume(turn, sink) {
      for (let line = 11; line <= 20; line += 1) {
        await sink.artifact({ artifactId: 'lines', parts: 'line ' + line + '\\n', append: true, lastChunk: line === 20 });
      }
      await sink.complete('All lines are written.');
    },
    async execute(turn, sink) {
      for (let line = 1; line <= 10; line += 1) {
        await sink.artifact({ artifactId: 'lines', name: 'lines', parts: 'line ' + line + '\\n', append: line > 1 });
      }
      await new Promise((_, reject) => turn.signal.addEventListener('abort', () => reject(turn.signal.reason)));
    },
  };
`;

describe.skipIf(!hasBrowser)('a server that dies under the console', () => {
  watchForLeaks();
  usePage();
  const browser = startBrowser();

  test('the page says so, reconnects, and misses and repeats nothing', { timeout: 240_000 }, async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    await writeFile(join(folder.path, 'agent.mjs'), AGENT);
    const port = String(await freePort());
    const start = async (): Promise<{ server: HoldwordProcess; link: string }> => {
      const words = ['serve', '--agent', './agent.mjs', '--port', port, '--grpc-port', 'off'];
      const server = new HoldwordProcess(words, { cwd: folder.path });
      const [link] = await server.printed(/http:\S+#link=\S+/);
      return { server, link };
    };
    const first = await start();
    const { page } = await browser.open(first.link, TALL);
    await page.getByRole('button', { name: 'Send a message' }).click(SLOW);
    await page.getByLabel('Message').fill('go');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const conversation = page.getByRole('log');
    await conversation.getByText('line 10').waitFor(SLOW);

    await first.server.kill();
    await page.getByText('The connection to the server is lost.').waitFor(SLOW);
    const second = await start();
    onTestFinished(async () => {
      await second.server.stop();
    });
    await page.getByText('The connection to the server is lost.').waitFor({ state: 'detached', ...SLOW });
    await page.locator('.task-title').getByText('completed').waitFor(SLOW);

    const taskId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const journal = await journalOf(page, taskId);
    await page.getByRole('link', { name: 'List' }).click();
    await expect.poll(() => shownSequences(page), SLOW).toEqual(journal.map(({ sequence }) => sequence));
    const lines = journal.flatMap(({ event }) => /line \d+/.exec(JSON.stringify(event))?.[0] ?? []);
    expect(lines).toEqual(Array.from({ length: 20 }, (_, index) => `line ${index + 1}`));
    const shown = await conversation.locator('.artifact .markdown').innerText();
    expect(shown.split(/\s*\n\s*/).filter(Boolean)).toEqual(lines);
  });
});
