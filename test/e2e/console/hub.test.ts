import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasBrowser, startBrowser } from '../../support/browser.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { message, registerAgent, resultOf } from '../hub/hub-agents.ts';
import { startHub } from '../hub/start-hub.ts';
import { violationsInBothThemes } from './axe.ts';
import { saveScreenshots } from './screenshots.ts';
import { usePage } from './start-console.ts';

const SLOW = { timeout: 60_000 };
const AGENT = join(import.meta.dirname, '..', 'hub', 'agents', 'porting-agent.ts');

describe.skipIf(!hasBrowser)('the hub in the console', () => {
  watchForLeaks();
  usePage();
  const browser = startBrowser();

  test('agents, sessions and a hand-off with its evidence are seen', { timeout: 240_000 }, async () => {
    const hub = await startHub({
      words: ['--agent', `exec:"${process.execPath}" "${AGENT}"`],
      agentOptions: { exec: { stream: true } },
    });
    onTestFinished(() => hub.stop());
    const worker = await registerAgent(hub, 'worker-1');
    await registerAgent(hub, 'worker-2');
    resultOf(await hub.rpc('heartbeat/bundle', { errors_last_hour: 2, queue_depth: 3 }, worker.headers));
    const text = 'Port lexer.c, parser.c and errors.c.';
    const { id } = resultOf(
      await hub.rpc('message/send', { ...message(text), blocking: false }, worker.headers),
    );
    await waitUntil(
      'the agent to work',
      async () => {
        const task = resultOf(await hub.rpc('tasks/get', { task_id: String(id) }, worker.headers));
        return JSON.stringify(task['artifacts'] ?? []).includes('working as process');
      },
      60_000,
    );
    const offer = resultOf(
      await hub.rpc('handoff/offer', { task_id: String(id), to_agent_id: 'worker-2' }, worker.headers),
    );

    const [link] = await hub.process.printed(/http:\S+#link=\S+/);
    const { page, console } = await browser.open(link, { viewport: { width: 1280, height: 1000 } });
    await page.getByRole('link', { name: 'Hub' }).click(SLOW);
    await page.getByRole('cell', { name: 'worker-2' }).waitFor(SLOW);
    const violations = await violationsInBothThemes(page);
    await saveScreenshots(page, 'hub');
    await page.getByRole('link', { name: 'worker-1' }).click();
    await page.getByRole('img', { name: 'Heartbeats: 1 in the time shown' }).waitFor(SLOW);
    violations.push(...(await violationsInBothThemes(page)));
    await saveScreenshots(page, 'hub-agent');

    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('cell', { name: 'worker-1' }).first().waitFor(SLOW);
    violations.push(...(await violationsInBothThemes(page)));
    await saveScreenshots(page, 'hub-sessions');
    await page.getByRole('link', { name: 'Alarms' }).click();
    await page.getByText('No alarms.').waitFor(SLOW);
    violations.push(...(await violationsInBothThemes(page)));
    await saveScreenshots(page, 'hub-alarms');

    await page.getByRole('link', { name: 'Hand-offs' }).click();
    await page.getByRole('cell', { name: 'offered' }).waitFor(SLOW);
    violations.push(...(await violationsInBothThemes(page)));
    await saveScreenshots(page, 'hub-handoffs');
    await page.goto(page.url().replace(/handoffs.*/, `handoffs/${String(offer['handoff_id'])}`));
    await page.getByText('port parser.c, beginning with parse_list').first().waitFor(SLOW);
    violations.push(...(await violationsInBothThemes(page)));
    await saveScreenshots(page, 'hub-handoff');
    expect(violations).toEqual([]);
    await page.getByRole('heading', { name: 'Evidence' }).waitFor(SLOW);
    await page.locator('a[href*="view=list"]').first().click();
    await page.locator('.event-row.selected').waitFor(SLOW);
    expect(page.url()).toContain(`/tasks/${String(id)}`);
    expect(console).toEqual([]);
  });
});
