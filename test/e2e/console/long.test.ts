import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { hasBrowser, startBrowser } from '../../support/browser.ts';
import { filledId, filledTime } from '../../support/fill-tasks.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { openConsole, startConsole, usePage } from './start-console.ts';

const SLOW = { timeout: 60_000 };
const TASKS = 1_000_000;

/** The ids of the drawn rows, from top to bottom. */
async function drawnIds(page: Page): Promise<string[]> {
  const rows = await page
    .locator('[data-task]')
    .evaluateAll((found) =>
      found.map((row) => [row.getBoundingClientRect().top, row.getAttribute('data-task') ?? ''] as const),
    );
  return rows.toSorted(([one], [other]) => one - other).map(([, id]) => id);
}

function indexOf(id: string): number {
  return Number(id.slice(-12));
}

describe.skipIf(!hasBrowser)('a console with a lot to show', () => {
  watchForLeaks();
  usePage();
  const browser = startBrowser();

  test('a million tasks are listed, scrolled and filtered', { timeout: 900_000 }, async () => {
    const server = await startConsole({ filled: TASKS });
    const { page, console } = await openConsole(browser, server);
    const row = (index: number) => page.locator(`[data-task="${filledId(index)}"]`);
    await row(TASKS - 1).waitFor(SLOW);

    // Down through many pages: at every stop the rows follow each other, none is missing or there twice.
    const list = page.getByRole('group', { name: 'Tasks' });
    for (let stop = 1; stop <= 12; stop += 1) {
      const reached = indexOf((await drawnIds(page)).at(-1) ?? 'none');
      await list.evaluate((box) => box.scrollTo(0, box.scrollHeight));
      await expect
        .poll(async () => indexOf((await drawnIds(page)).at(-1) ?? 'none'), SLOW)
        .toBeLessThan(reached);
      const ids = await drawnIds(page);
      const first = indexOf(ids[0] ?? '');
      expect(ids).toEqual(ids.map((_, index) => filledId(first - index)));
    }
    expect(indexOf((await drawnIds(page)).at(-1) ?? 'none')).toBeLessThan(TASKS - 4_000);
    await list.evaluate((box) => box.scrollTo(0, 0));
    await row(TASKS - 1).waitFor(SLOW);

    await page.getByRole('button', { name: 'failed' }).click();
    await row(TASKS - 100).waitFor(SLOW);
    expect((await drawnIds(page)).slice(0, 3).map(indexOf)).toEqual([TASKS - 100, TASKS - 200, TASKS - 300]);
    await page.goto(`${server.url}tasks?to=${filledTime(500_000)}`);
    await row(500_000).waitFor(SLOW);
    expect((await drawnIds(page)).slice(0, 2).map(indexOf)).toEqual([500_000, 499_999]);
    await page.goto(`${server.url}tasks?text=T-${filledId(TASKS - 450)}`);
    await row(TASKS - 450).waitFor(SLOW);
    await page.goto(`${server.url}tasks?text=nothing-has-this`);
    await page.getByText('No task matches so far.').waitFor(SLOW);
    await page.getByRole('button', { name: 'Search further' }).waitFor(SLOW);
    expect(console).toEqual([]);
  });

  test('a long conversation shows its end, and what was said before on demand', async () => {
    const server = await startConsole();
    const taskId = await server.send('talk 150');
    const { page } = await openConsole(browser, server);
    await page.goto(`${server.url}tasks/${taskId}`);
    await page.locator('.task-title').getByText('completed').waitFor(SLOW);
    const log = page.getByRole('log');
    await log.getByText('Report 150 of 150.').waitFor(SLOW);
    expect(await log.getByText('Report 1 of 150.').count()).toBe(0);
    const earlier = log.getByRole('button', { name: 'Show what was said before' });
    for (let times = 0; (await earlier.count()) > 0 && times < 20; times += 1) {
      const before = await log.locator('.entry').count();
      await earlier.click(SLOW);
      await expect.poll(() => log.locator('.entry').count(), SLOW).toBeGreaterThan(before);
    }
    const said = await log
      .locator('.entry')
      .getByText(/^Report \d+ of 150\.$/)
      .allInnerTexts();
    expect(said).toEqual(Array.from({ length: 150 }, (_, index) => `Report ${index + 1} of 150.`));
  });
});
