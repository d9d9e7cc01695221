import { describe, test } from 'vitest';
import { hasBrowser, startBrowser } from '../../support/browser.ts';
import { saveScreenshots, takesScreenshots } from './screenshots.ts';
import { openConsole, startConsole, usePage } from './start-console.ts';

const SLOW = { timeout: 60_000 };

describe.skipIf(!hasBrowser || !takesScreenshots)('screenshots', () => {
  usePage();
  const browser = startBrowser();

  test('every page', { timeout: 300_000 }, async () => {
    const server = await startConsole();
    const ids: Record<string, string> = {};
    for (const name of ['hold', 'book', 'login', 'stream', 'nothing', 'report'])
      ids[name] = await server.send(`${name} 40`);
    const signedOut = await browser.open(server.url);
    await signedOut.page.getByRole('heading', { name: 'Sign in to Holdword' }).waitFor(SLOW);
    await saveScreenshots(signedOut.page, 'sign-in');

    const { page } = await openConsole(browser, server);
    const pages: readonly (readonly [string, string, string])[] = [
      ['tasks', 'tasks', '[data-task] >> nth=5'],
      ['task', `tasks/${ids['report']}`, '.data-table'],
      ['artifact', `tasks/${ids['report']}?artifact=draft`, '.details .markdown h4'],
      ['question', `tasks/${ids['book']}`, '.answer form'],
      ['events', `tasks/${ids['stream']}?view=list&event=5`, '.details .json-key'],
      ['agents', 'agents', '.card'],
      ['agent', 'agents/served', '.card'],
      ['try', 'agents/served?tab=try', '.form'],
      ['operations', 'operations', '.plot'],
      ['push', 'operations/push', '.empty'],
      ['keys', 'operations/keys', '.empty'],
      ['audit', 'operations/audit', '.empty'],
    ];
    for (const [name, path, ready] of pages) {
      await page.goto(server.url + path);
      await page.locator(ready).first().waitFor(SLOW);
      await saveScreenshots(page, name);
    }
  });
});
