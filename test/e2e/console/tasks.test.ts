import { describe, expect, test } from 'vitest';
import { hasBrowser, startBrowser } from '../../support/browser.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { journalOf, openConsole, shownSequences, startConsole, usePage } from './start-console.ts';

/** High enough that a list of some sixty rows is whole on the screen. */
const TALL = { viewport: { width: 1280, height: 2600 } };
/** A loaded machine draws late. */
const SLOW = { timeout: 30_000 };

describe.skipIf(!hasBrowser)('tasks in the console', () => {
  watchForLeaks();
  usePage();
  const browser = startBrowser();

  test('a message is sent, its stream is watched, and every event is shown once', async () => {
    const server = await startConsole();
    const { page, console } = await openConsole(browser, server, TALL);
    await page.getByRole('button', { name: 'Send a message' }).click();
    await page.getByLabel('Message').fill('stream 50');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const conversation = page.getByRole('log');
    await conversation.getByText('line 50').waitFor(SLOW);
    await page.locator('.task-title').getByText('working').waitFor(SLOW);
    server.gates.open('end');
    await page.locator('.task-title').getByText('completed').waitFor(SLOW);
    await conversation.getByText('Wrote 50 lines.').waitFor(SLOW);

    const taskId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.getByRole('link', { name: 'List' }).click();
    const journal = await journalOf(page, taskId);
    await expect.poll(() => shownSequences(page), SLOW).toEqual(journal.map(({ sequence }) => sequence));
    const text = await conversation.locator('.artifact .markdown').innerText();
    expect(text.split(/\s*\n\s*/).filter(Boolean)).toEqual(
      Array.from({ length: 50 }, (_, index) => `line ${index + 1}`),
    );
    expect(console).toEqual([]);
  });

  test('a question is answered with the form of its schema', async () => {
    const server = await startConsole();
    const { page } = await openConsole(browser, server);
    const taskId = await server.send('book a room');
    await page.locator(`[data-task="${taskId}"] a`).first().click(SLOW);
    const answer = page.getByRole('region', { name: 'Answer' });
    await answer.getByLabel('City').fill('Lisbon');
    await answer.getByLabel('Nights').fill('3');
    await answer.getByLabel('Room').selectOption({ label: 'double' });
    await answer.getByLabel('Breakfast').check();
    await answer.getByRole('button', { name: 'Answer' }).click();
    await page.locator('.task-title').getByText('completed').waitFor(SLOW);
    await page.getByRole('log').getByText('Lisbon').first().waitFor(SLOW);
    const journal = JSON.stringify(await journalOf(page, taskId));
    expect(journal).toContain('{"data":{"city":"Lisbon","nights":3,"room":"double","breakfast":true}}');
  });

  test('a task that waits for credentials is told to continue', async () => {
    const server = await startConsole();
    const taskId = await server.send('login please');
    const { page } = await openConsole(browser, server);
    await page.goto(`${server.url}tasks/${taskId}`);
    await page
      .getByRole('region', { name: 'Authentication required' })
      .getByRole('button', { name: 'Continue' })
      .click(SLOW);
    await page.locator('.task-title').getByText('completed').waitFor(SLOW);
  });

  test('a task is canceled, and others in bulk', async () => {
    const server = await startConsole();
    const ids = [await server.send('hold 1'), await server.send('hold 2'), await server.send('hold 3')];
    const { page } = await openConsole(browser, server);
    await page.locator(`[data-task="${ids[0]}"] a`).first().click(SLOW);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click(SLOW);
    await page.getByRole('button', { name: 'Cancel the task' }).click();
    await page.locator('.task-title').getByText('canceled').waitFor(SLOW);

    await page.goBack();
    for (const id of ids.slice(1)) await page.getByLabel(`Mark task ${id}`).check(SLOW);
    await page.getByRole('button', { name: 'Cancel 2 tasks' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel 2 tasks' }).click();
    await page.getByText('2 tasks canceled.').waitFor(SLOW);
    for (const id of ids) await page.locator(`[data-task="${id}"]`).getByText('canceled').waitFor(SLOW);
  });

  test('a message is sent again, edited', async () => {
    const server = await startConsole();
    const taskId = await server.send('nothing here');
    const { page } = await openConsole(browser, server);
    await page.goto(`${server.url}tasks/${taskId}`);
    await page.getByRole('button', { name: 'Send again…' }).click(SLOW);
    const message = page.getByLabel('Message');
    expect(await message.inputValue()).toBe('nothing here');
    await message.fill('something else');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('There is nothing to do for "something".').first().waitFor(SLOW);
    expect(page.url()).not.toContain(taskId);
  });

  test('the page is small: at most 120 kB are loaded before it shows the tasks', async () => {
    const server = await startConsole();
    const { page } = await openConsole(browser, server);
    await page.getByText('No tasks yet.').waitFor(SLOW);
    const sizes =
      'performance.getEntriesByType("resource").filter(({ name }) => !name.includes("/api/")).map(({ transferSize }) => transferSize)';
    const loaded = (await page.evaluate(sizes)) as number[];
    expect(loaded.length).toBeGreaterThan(1);
    expect(loaded.reduce((sum, size) => sum + size, 0)).toBeLessThan(120_000);
  });

  test('the list is live, filters are in the address, and the back button undoes them', async () => {
    const server = await startConsole();
    const held = await server.send('hold on');
    const { page } = await openConsole(browser, server);
    await page.locator(`[data-task="${held}"]`).waitFor(SLOW);
    const ended = await server.send('nothing');
    await page.locator(`[data-task="${ended}"]`).getByText('completed').waitFor(SLOW);

    await page.getByRole('button', { name: 'working' }).click();
    await page.locator(`[data-task="${ended}"]`).waitFor({ state: 'detached', ...SLOW });
    expect(new URL(page.url()).search).toBe('?state=working');
    await page.reload();
    await page.locator(`[data-task="${held}"]`).waitFor(SLOW);
    expect(await page.getByRole('button', { name: 'working' }).getAttribute('aria-pressed')).toBe('true');
    await page.goBack();
    await page.locator(`[data-task="${ended}"]`).waitFor(SLOW);

    server.gates.open('hold');
    await page.locator(`[data-task="${held}"]`).getByText('completed').waitFor(SLOW);
  });

  test('tasks are opened and left with the keyboard', async () => {
    const server = await startConsole();
    const first = await server.send('nothing one');
    await server.send('nothing two');
    const { page } = await openConsole(browser, server);
    await page.locator(`[data-task="${first}"]`).waitFor(SLOW);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/tasks/${first}`);
    await page.getByRole('log').getByText('nothing one').first().waitFor(SLOW);
    await page.keyboard.press('u');
    await page.locator(`[data-task="${first}"]`).waitFor(SLOW);
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.getByRole('heading', { name: 'Agents' }).waitFor(SLOW);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('tasks: failed');
    await page.keyboard.press('Enter');
    await page.getByText('No task matches these filters.').waitFor(SLOW);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Next task').waitFor(SLOW);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached', ...SLOW });
  });

  test('versions of an artifact are compared, tables sorted, images shown', async () => {
    const server = await startConsole();
    const taskId = await server.send('report');
    const { page } = await openConsole(browser, server);
    await page.goto(`${server.url}tasks/${taskId}?artifact=draft`);
    await page.locator('.task-title').getByText('completed').waitFor(SLOW);
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByRole('heading', { name: 'Quarterly report' }).waitFor(SLOW);
    await details.getByLabel('Compare with').selectOption('1');
    await details.locator('.diff-line.removed', { hasText: 'A first draft.' }).waitFor(SLOW);
    await details.locator('.diff-line.added', { hasText: '# Quarterly report' }).waitFor(SLOW);

    await page.goto(`${server.url}tasks/${taskId}?artifact=rows`);
    const column = (): Promise<string[]> => details.locator('tbody tr td:nth-child(2)').allInnerTexts();
    await details.getByRole('button', { name: 'revenue' }).click(SLOW);
    await expect.poll(column).toEqual(['80', '95', '120']);
    await details.getByRole('button', { name: 'revenue' }).click();
    await expect.poll(column).toEqual(['120', '95', '80']);

    await page.goto(`${server.url}tasks/${taskId}?artifact=chart`);
    const image = details.getByRole('img', { name: 'chart.png' });
    await image.waitFor(SLOW);
    await expect
      .poll(() => image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(1);
  });
});
