import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { hasBrowser, startBrowser } from '../../support/browser.ts';
import { openConsole, startConsole, usePage } from './start-console.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'docs', 'images', 'console');
const SLOW = { timeout: 60_000 };

const LOOKS = [
  { name: 'light', options: { colorScheme: 'light', viewport: { width: 1040, height: 680 } } },
  { name: 'dark', options: { colorScheme: 'dark', viewport: { width: 1040, height: 680 } } },
  { name: 'phone', options: { colorScheme: 'light', viewport: { width: 390, height: 700 } } },
] as const;

// Run it after a change of the page: HOLDWORD_SCREENSHOTS=1 npm run test:e2e -- test/e2e/console/screenshots.test.ts
describe.skipIf(!hasBrowser || process.env['HOLDWORD_SCREENSHOTS'] === undefined)('screenshots', () => {
  usePage();
  const browser = startBrowser();

  test.each(LOOKS)('every page, $name', { timeout: 300_000 }, async ({ name: look, options }) => {
    await mkdir(FOLDER, { recursive: true });
    const server = await startConsole();
    const ids: Record<string, string> = {};
    for (const name of ['hold', 'book', 'login', 'stream', 'nothing', 'report'])
      ids[name] = await server.send(`${name} 40`);
    const signedOut = await browser.open(server.url, options);
    await signedOut.page.getByRole('heading', { name: 'Sign in to Holdword' }).waitFor(SLOW);
    await signedOut.page.screenshot({ path: join(FOLDER, `sign-in-${look}.png`) });

    const { page } = await openConsole(browser, server, options);
    const pages: readonly (readonly [string, string, string])[] = [
      ['tasks', 'tasks', '[data-task] >> nth=5'],
      ['task', `tasks/${ids['report']}`, '.data-table'],
      ['artifact', `tasks/${ids['report']}?artifact=draft`, '.details .markdown h4'],
      ['question', `tasks/${ids['book']}`, '.answer form'],
      ['events', `tasks/${ids['stream']}?view=list&event=5`, '.details .json-key'],
      ['agent', 'agents/served', '.card'],
      ['operations', 'operations', '.plot'],
    ];
    for (const [name, path, ready] of pages) {
      await page.goto(server.url + path);
      await page.locator(ready).first().waitFor(SLOW);
      await page.screenshot({ path: join(FOLDER, `${name}-${look}.png`) });
    }
  });
});
