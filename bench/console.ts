import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ensureConsoleBuilt } from '../scripts/build/build-console.ts';
import { launchChromium } from '../test/support/chromium.ts';
import { filledId, fillTasks } from '../test/support/fill-tasks.ts';
import { callJson } from './load/call-json.ts';
import { Connection } from './load/connection.ts';
import { takeMeasures, type Measure } from './measures.ts';
import type { BenchOptions } from './options.ts';
import { HOLDWORD, holdwordCommand, program } from './peers/peer.ts';
import { startPeer } from './peers/running-peer.ts';
import { userMessage } from './peers/work.ts';
import type { BenchResult } from './report/report.ts';
import { median } from './report/statistics.ts';
import { atMost } from './report/target.ts';

const THROTTLE = 4;
const FULL = { tasks: 1_000_000, events: 20_000, liveSeconds: 20, samples: 5 };
const QUICK = { tasks: 5_000, events: 2_000, liveSeconds: 3, samples: 1 };
const EVENTS_PER_SECOND = 500;
const MOST_KILOBYTES = 120;
const MOST_LOAD_MILLISECONDS = 1_500;
const MOST_OPEN_MILLISECONDS = 500;
const MOST_FRAME_MILLISECONDS = 100;
const SLOW = { timeout: 60_000 };
const VIEWPORT = { width: 1440, height: 900 };

/** In every page: the longest time between two frames, and when the list was first drawn and the page had nothing left to do. */
const WATCH = `
  let last = performance.now();
  window.longestFrame = 0;
  const frame = () => {
    const now = performance.now();
    window.longestFrame = Math.max(window.longestFrame, now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  new MutationObserver((_, observer) => {
    if (document.querySelector('[data-task]') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => { window.interactiveAt = performance.now(); }));
  }).observe(document, { childList: true, subtree: true });
`;

const until = (condition: string): string => `new Promise((resolve) => {
  const look = () => (${condition} ? resolve() : setTimeout(look, 20));
  look();
})`;

/** What the files of the page have sent over the network. */
const PAGE_BYTES = `performance.getEntries()
  .filter(({ entryType, name }) => entryType === 'navigation' || (entryType === 'resource' && !name.includes('/api/')))
  .reduce((sum, { transferSize }) => sum + transferSize, 0)`;

/** Opens a task by its link in the list, and tells how long it takes until its timeline and what was said are drawn. */
const openTask = (taskId: string): string => `new Promise((resolve) => {
  const startedAt = performance.now();
  const look = () => {
    const isThere = document.querySelector('.timeline .bar') !== null && document.querySelector('.entry') !== null;
    if (isThere) setTimeout(() => resolve(performance.now() - startedAt));
    else requestAnimationFrame(look);
  };
  document.querySelector('[data-task="${taskId}"] a').click();
  requestAnimationFrame(look);
})`;

/** Scrolls down as far as the list goes in each frame, until a task is on the screen. */
const scrollTo = (taskId: string): string => `new Promise((resolve) => {
  const box = document.querySelector('.virtual');
  const step = () => {
    if (document.querySelector('[data-task="${taskId}"]') !== null) return resolve();
    box.scrollTop += 4 * box.clientHeight;
    requestAnimationFrame(step);
  };
  step();
})`;

type Sizes = typeof FULL;

/** The console in a Chromium whose processor is four times slower: its first load, a long task, a live task and a long list. */
export async function consoleBench({ quick, dataFolder, progress }: BenchOptions): Promise<BenchResult> {
  const sizes = quick ? QUICK : FULL;
  await ensureConsoleBuilt();
  const folder = mkdtempSync(join(dataFolder, 'console-'));
  progress(`filling a store with ${sizes.tasks} tasks`);
  await fillTasks(folder, sizes.tasks);
  await using server = await startPeer(
    {
      ...HOLDWORD,
      arguments: () => [...HOLDWORD.arguments(folder), '--agent', program('../console/busy-agent.ts')],
    },
    dataFolder,
  );
  await using viewer = await startViewer(folder, server.url);
  progress('loading the list');
  const load = await firstLoads(viewer, sizes);
  return await takeMeasures(
    'console',
    [
      ['the size of the first load', async () => load.size],
      ['the time of the first load', async () => load.time],
      ['opening a long task', () => longTask(viewer, server.url, sizes)],
      ['following a task', () => liveTask(viewer, server.url, sizes)],
      ['scrolling a long list', () => longList(viewer, sizes)],
    ],
    progress,
  );
}

async function firstLoads(viewer: Viewer, { samples }: Sizes): Promise<{ size: Measure; time: Measure }> {
  const loads: { bytes: number; milliseconds: number }[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    await using opened = await viewer.open('tasks');
    const { page } = opened;
    await page.evaluate(until('window.interactiveAt !== undefined'));
    loads.push({
      bytes: await evaluated(page, PAGE_BYTES),
      milliseconds: await evaluated(page, 'window.interactiveAt'),
    });
  }
  const kilobytes = median(loads.map(({ bytes }) => bytes)) / 1_000;
  const milliseconds = median(loads.map((load) => load.milliseconds));
  return {
    size: {
      figures: { kilobytesOfFirstLoad: kilobytes },
      target: atMost('KB of the first load', MOST_KILOBYTES, kilobytes),
    },
    time: {
      figures: { millisecondsUntilInteractive: milliseconds },
      target: atMost('ms until the list of tasks is interactive', MOST_LOAD_MILLISECONDS, milliseconds),
    },
  };
}

/** Each time another task, so that nobody has read it before. */
async function longTask(viewer: Viewer, url: URL, { events, samples }: Sizes): Promise<Measure> {
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const taskId = await startTask(url, `busy ${events}`, { isAwaited: true });
    await using opened = await viewer.open('tasks');
    await opened.page.locator(`[data-task="${taskId}"]`).waitFor(SLOW);
    times.push(await evaluated(opened.page, openTask(taskId)));
  }
  const milliseconds = median(times);
  return {
    figures: { [`millisecondsToOpen${events}Events`]: milliseconds },
    target: atMost(`ms to open a task of ${events} events`, MOST_OPEN_MILLISECONDS, milliseconds),
  };
}

async function liveTask(viewer: Viewer, url: URL, { events, liveSeconds }: Sizes): Promise<Measure> {
  const taskId = await startTask(url, `busy ${events} ${EVENTS_PER_SECOND} ${liveSeconds * 2}`);
  await using opened = await viewer.open(`tasks/${taskId}`);
  const { page } = opened;
  await page.locator('.timeline .bar').first().waitFor(SLOW);
  await page.evaluate(until(`${SHOWN_EVENTS} > ${events}`));
  const before = await evaluated(page, SHOWN_EVENTS);
  const startedAt = performance.now();
  await page.evaluate('window.longestFrame = 0');
  await page.waitForTimeout(liveSeconds * 1_000);
  const longest = await evaluated(page, 'window.longestFrame');
  const perSecond =
    ((await evaluated(page, SHOWN_EVENTS)) - before) / ((performance.now() - startedAt) / 1_000);
  return {
    figures: { eventsPerSecondShown: perSecond, longestFrameOfLiveTask: longest },
    target: atMost(
      `ms of the longest frame at ${EVENTS_PER_SECOND} events/s`,
      MOST_FRAME_MILLISECONDS,
      perSecond > EVENTS_PER_SECOND * 0.9 ? longest : undefined,
    ),
  };
}

const SHOWN_EVENTS = `Number(document.querySelector('[data-testid="event-count"]').textContent.replace(/\\D/g, ''))`;

/** From the newest task to the oldest. */
async function longList(viewer: Viewer, { tasks }: Sizes): Promise<Measure> {
  await using opened = await viewer.open('tasks');
  const { page } = opened;
  await page.evaluate(until('window.interactiveAt !== undefined'));
  await page.evaluate('window.longestFrame = 0');
  const startedAt = performance.now();
  await page.evaluate(scrollTo(filledId(0)));
  const seconds = (performance.now() - startedAt) / 1_000;
  const longest = await evaluated(page, 'window.longestFrame');
  return {
    figures: { [`secondsToScroll${tasks}Tasks`]: seconds, longestFrameWhileScrolling: longest },
    target: atMost(`ms of the longest frame scrolling ${tasks} tasks`, MOST_FRAME_MILLISECONDS, longest),
  };
}

async function evaluated(page: Page, expression: string): Promise<number> {
  return Number(await page.evaluate(expression));
}

async function startTask(
  url: URL,
  text: string,
  { isAwaited = false }: { isAwaited?: boolean } = {},
): Promise<string> {
  using connection = await Connection.open(url);
  const sent = await callJson(connection, url, {
    method: 'SendMessage',
    params: {
      message: userMessage(crypto.randomUUID(), text),
      configuration: { returnImmediately: !isAwaited, historyLength: 0 },
    },
  });
  return (sent as { task: { id: string } }).task.id;
}

interface OpenedPage extends AsyncDisposable {
  readonly page: Page;
}

interface Viewer extends AsyncDisposable {
  /** A page of a signed-in operator in a browser that has nothing in its cache. */
  open(path: string): Promise<OpenedPage>;
}

async function startViewer(folder: string, server: URL): Promise<Viewer> {
  const browser = await launchChromium();
  const console = new URL('/console/', server).href;
  const link = await linkOf(folder, server);
  const first = await browser.newContext();
  const page = await first.newPage();
  await page.goto(link);
  await page.getByRole('navigation', { name: 'Console' }).waitFor(SLOW);
  const storageState = await first.storageState();
  await first.close();
  return {
    open: async (path) => openPage(browser, storageState, console + path),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

async function openPage(
  browser: Browser,
  storageState: Awaited<ReturnType<BrowserContext['storageState']>>,
  url: string,
): Promise<OpenedPage> {
  const context = await browser.newContext({ storageState, viewport: VIEWPORT });
  const page = await context.newPage();
  await page.addInitScript(WATCH);
  const tools = await context.newCDPSession(page);
  await tools.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE });
  await page.goto(url);
  return { page, [Symbol.asyncDispose]: () => context.close() };
}

async function linkOf(folder: string, { port }: URL): Promise<string> {
  const words = ['console', 'link', '--data', folder, '--port', port, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, [...holdwordCommand(), ...words]);
  return (JSON.parse(stdout) as { url: string }).url;
}
