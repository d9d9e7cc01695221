import { describe, expect, test } from 'vitest';
import { hasBrowser, startBrowser } from '../../support/browser.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { violationsOn } from './axe.ts';
import { openConsole, startConsole, usePage } from './start-console.ts';

const SLOW = { timeout: 30_000 };

describe.skipIf(!hasBrowser)('the console is accessible', () => {
  watchForLeaks();
  usePage();
  const browser = startBrowser();

  test.each(['light', 'dark'] as const)(
    'axe-core finds nothing on any page in %s',
    { timeout: 240_000 },
    async (colorScheme) => {
      const server = await startConsole();
      const ids = Object.fromEntries(
        await Promise.all(
          ['report', 'book', 'login', 'hold', 'stream'].map(async (name) => [
            name,
            await server.send(`${name} 30`),
          ]),
        ),
      );
      const signedOut = await browser.open(server.url, { colorScheme });
      await signedOut.page.getByRole('heading', { name: 'Sign in to Holdword' }).waitFor(SLOW);
      const found: Record<string, string[]> = { 'sign-in': await violationsOn(signedOut.page) };

      const { page, console } = await openConsole(browser, server, { colorScheme });
      await page.locator('[data-task]').nth(4).waitFor(SLOW);
      const pages: Record<string, string> = {
        tasks: '[data-task]',
        'tasks?state=failed': '.empty',
        [`tasks/${ids['report']}`]: '.bar',
        [`tasks/${ids['report']}?artifact=draft`]: '.details .markdown h4',
        [`tasks/${ids['report']}?artifact=rows`]: '.details .data-table',
        [`tasks/${ids['book']}`]: '.answer form',
        [`tasks/${ids['login']}`]: '.answer form',
        [`tasks/${ids['stream']}?view=list&event=3`]: '.details .json-key',
        [`tasks/${ids['stream']}?view=raw`]: '.raw-line',
        'tasks/unknown': '.empty',
        agents: '.card',
        'agents/served': '.card',
        'agents/served?tab=try': '.form',
        'agents/served?tab=authentication': '.lead',
        operations: '.plot',
        'operations/push': '.empty',
        'operations/keys': '.empty',
        'operations/audit': '.empty',
      };
      for (const [path, ready] of Object.entries(pages)) {
        await page.goto(server.url + path);
        await page.locator(ready).first().waitFor(SLOW);
        found[path] = await violationsOn(page);
      }
      await page.goto(`${server.url}tasks`);
      await page.locator('[data-task]').first().waitFor(SLOW);
      for (const [key, dialog] of [
        ['?', 'Keyboard shortcuts'],
        ['Control+k', 'Find'],
        ['n', 'New task'],
      ] as const) {
        await page.keyboard.press(key);
        await page.getByRole('dialog', { name: dialog }).waitFor(SLOW);
        found[dialog] = await violationsOn(page);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached', ...SLOW });
      }
      expect(
        Object.fromEntries(Object.entries(found).filter(([, violations]) => violations.length > 0)),
      ).toEqual({});
      expect(console.filter((line) => !line.includes('status of 404'))).toEqual([]);
    },
  );
});
