import { describe, onTestFinished, test } from 'vitest';
import { HoldwordProcess } from '@holdword/cli/testing';
import { hasBrowser, startBrowser } from '../../support/browser.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { usePage } from './start-console.ts';

const SLOW = { timeout: 60_000 };

describe.skipIf(!hasBrowser)('the console of the command', () => {
  watchForLeaks();
  usePage();
  const browser = startBrowser();

  test('a task is forked at a question, and gets another answer', { timeout: 240_000 }, async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const server = new HoldwordProcess(['serve', '--port', '0', '--grpc-port', 'off'], { cwd: folder.path });
    onTestFinished(async () => {
      await server.stop();
    });
    const [link] = await server.printed(/http:\S+#link=\S+/);
    const { page } = await browser.open(link);
    await page.getByRole('button', { name: 'Send a message' }).click(SLOW);
    await page.getByLabel('Message').fill('ask me');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByLabel('Your answer').fill('Ada', SLOW);
    await page.getByRole('button', { name: 'Answer' }).click();
    await page.getByRole('log').getByText('Hello, Ada!').first().waitFor(SLOW);
    const first = new URL(page.url()).pathname;

    await page.getByRole('link', { name: 'List' }).click();
    await page.locator('[data-sequence]', { hasText: 'input required' }).click(SLOW);
    await page.getByRole('button', { name: 'Fork here…' }).click(SLOW);
    await page.getByLabel('Message for the new task (optional)').fill('Grace');
    await page.getByRole('button', { name: 'Fork', exact: true }).click();
    await page.waitForURL((url) => url.pathname.includes('/tasks/') && url.pathname !== first, SLOW);
    await page.getByRole('log').getByText('Hello, Grace!').first().waitFor(SLOW);
    await page.locator('.task-title').getByText('completed').waitFor(SLOW);
  });
});
