import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { launchChromium } from './chromium.ts';

export { hasBrowser } from './chromium.ts';

export interface TestBrowser {
  /** Opens a page with no history, cookies or cache, unless the options bring some. It is closed when the test ends. */
  open(url: string, options?: BrowserContextOptions): Promise<TestPage>;
}

export interface TestPage {
  readonly page: Page;
  /** What the page wrote to the console, errors included. */
  readonly console: readonly string[];
}

/** A real Chromium for the tests of a group, with its web security on. Call it at the top of the group. */
export function startBrowser(): TestBrowser {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  return {
    async open(url, options) {
      const context = await browser.newContext(options);
      onTestFinished(() => context.close());
      const page = await context.newPage();
      const console: string[] = [];
      page.on('console', (message) => void console.push(message.text()));
      page.on('pageerror', (error) => void console.push(String(error)));
      await page.goto(url);
      return { page, console };
    },
  };
}
