import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { hasBrowser, startBrowser } from '../../support/browser.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { HOSTILE } from './console-agent.ts';
import { openConsole, startConsole, usePage, type TestConsole } from './start-console.ts';

const SLOW = { timeout: 30_000 };

/** What the page has asked for elsewhere, and what it was kept from doing. */
function watch(
  page: Page,
  server: TestConsole,
): { readonly outside: string[]; readonly violations: string[] } {
  const [outside, violations]: [string[], string[]] = [[], []];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== new URL(server.url).origin && url.protocol !== 'blob:') outside.push(request.url());
  });
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML/i.test(message.text())) violations.push(message.text());
  });
  page.on('popup', (popup) => outside.push(popup.url()));
  return { outside, violations };
}

describe.skipIf(!hasBrowser)('foreign text in the console', () => {
  watchForLeaks();
  usePage();
  const browser = startBrowser();

  test('nothing that an agent wrote runs, and nothing leaves the page', async () => {
    const skill = { id: HOSTILE, name: HOSTILE, description: HOSTILE, tags: [HOSTILE], examples: [HOSTILE] };
    const server = await startConsole({ card: { name: HOSTILE, description: HOSTILE, skills: [skill] } });
    // All of the conversation is on the screen, so that all of it is loaded.
    const { page, console } = await openConsole(browser, server, { viewport: { width: 1280, height: 4000 } });
    const seen = watch(page, server);
    const taskId = await server.send('hostile');
    await page.locator(`[data-task="${taskId}"]`).getByText('input required').waitFor(SLOW);

    const task = `${server.url}tasks/${taskId}`;
    await page.goto(task);
    await page.getByRole('log').locator('article').nth(9).waitFor(SLOW);
    for (const artifact of [
      'text',
      'data',
      'rows',
      'html',
      'svg',
      'markdown',
      'csv',
      'image',
      'fake',
      'link',
    ]) {
      await page.goto(`${task}?artifact=${artifact}`);
      await page.getByRole('complementary').locator('.artifact .part').first().waitFor(SLOW);
    }
    for (const view of ['?axis=events', '?view=list&event=2', '?view=raw&event=3']) {
      await page.goto(task + view);
      await page.locator('.bar, .event-row .clip').first().waitFor(SLOW);
    }
    for (const path of ['agents', 'agents/served', 'agents/served?tab=try', 'agents/served?tab=json']) {
      await page.goto(server.url + path);
      await page.locator('.card, .form, .json-key').first().waitFor(SLOW);
    }
    await page.goto(`${server.url}tasks?text=${encodeURIComponent(HOSTILE)}`);
    await page.getByText('No task matches these filters.').waitFor(SLOW);

    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(seen).toEqual({ outside: [], violations: [] });
    expect(console.filter((line) => !line.includes('status of 404'))).toEqual([]);
  });

  test('only links to web pages can be clicked, and they say where they lead', async () => {
    const server = await startConsole();
    const taskId = await server.send('hostile');
    const { page } = await openConsole(browser, server);
    await page.goto(`${server.url}tasks/${taskId}?artifact=markdown`);
    const part = page.getByRole('complementary').locator('.artifact .part');
    await part.getByText('tracker.invalid').waitFor(SLOW);
    const links = await page
      .locator('main a[href]')
      .evaluateAll((found) =>
        found.map((link) => ({ href: link.getAttribute('href') ?? '', rel: link.getAttribute('rel') })),
      );
    const outside = links.filter(({ href }) => !href.startsWith('/') && !href.startsWith(server.url));
    // In the conversation and in the details.
    const kinds = new Set(outside.map(({ href, rel }) => `${href} ${rel}`));
    expect([...kinds]).toEqual(['https://tracker.invalid/y.png noopener noreferrer nofollow']);
    // A picture that is none is on the page until the browser has tried it; all come from the page's own memory.
    const pictures = await page
      .locator('main img')
      .evaluateAll((found) => found.map((picture) => picture.getAttribute('src') ?? ''));
    expect(pictures.filter((source) => !source.startsWith('blob:'))).toEqual([]);
    expect(await part.locator('img').count()).toBe(0);
  });

  test('a caller sees its own tasks and no operations; an operator sees all', async () => {
    const server = await startConsole({ keys: true });
    const [ada, bob, operator] = [
      await server.addKey('ada'),
      await server.addKey('bob'),
      await server.addKey('root', 'operator'),
    ];
    const [ofAda, ofBob] = [await server.send('nothing a', ada), await server.send('nothing b', bob)];
    const signIn = async (key: string): Promise<Page> => {
      const { page } = await browser.open(server.url);
      await page.getByLabel('API key or bearer token').fill(key);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Tasks' }).waitFor(SLOW);
      return page;
    };

    const page = await signIn(ada);
    await page.locator(`[data-task="${ofAda}"]`).waitFor(SLOW);
    expect(await page.locator(`[data-task="${ofBob}"]`).count()).toBe(0);
    const later = await server.send('nothing b again', bob);
    const own = await server.send('nothing a again', ada);
    await page.locator(`[data-task="${own}"]`).waitFor(SLOW);
    expect(await page.locator(`[data-task="${later}"]`).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Operations' }).count()).toBe(0);
    await page.goto(`${server.url}tasks/${ofBob}`);
    await page.getByText('There is no such task').waitFor(SLOW);
    await page.goto(`${server.url}operations`);
    await page.getByText('There is no such page.').waitFor(SLOW);

    const all = await signIn(operator);
    await all.locator(`[data-task="${ofAda}"]`).waitFor(SLOW);
    await all.locator(`[data-task="${ofBob}"]`).waitFor(SLOW);
    await all.getByRole('link', { name: 'Operations' }).click();
    await all.getByRole('link', { name: 'Keys' }).click();
    await all.getByRole('cell', { name: 'ada' }).waitFor(SLOW);
  });

  test('a wrong key, a used link and a session that has ended are explained', async () => {
    const keyed = await startConsole({ keys: true });
    const { page } = await browser.open(keyed.url);
    await page.getByLabel('API key or bearer token').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor(SLOW);

    const open = await startConsole();
    const link = await open.link();
    const first = await browser.open(link);
    await first.page.getByRole('heading', { name: 'Tasks' }).waitFor(SLOW);
    expect(first.page.url()).not.toContain('link=');
    const second = await browser.open(link);
    await second.page.getByRole('alert').getByText('The link was used before').waitFor(SLOW);

    await first.page.getByRole('button', { name: 'Sign out' }).click();
    await first.page.getByRole('heading', { name: 'Sign in to Holdword' }).waitFor(SLOW);
  });
});
