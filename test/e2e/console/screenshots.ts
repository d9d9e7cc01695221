import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'docs', 'images', 'console');

/** Pictures for docs/ are taken on request only: HOLDWORD_SCREENSHOTS=1 npm run test:e2e -- test/e2e/console */
export const takesScreenshots = process.env['HOLDWORD_SCREENSHOTS'] !== undefined;

const LOOKS = [
  { look: 'light', colorScheme: 'light', viewport: { width: 1040, height: 680 } },
  { look: 'dark', colorScheme: 'dark', viewport: { width: 1040, height: 680 } },
  { look: 'phone', colorScheme: 'light', viewport: { width: 390, height: 700 } },
] as const;

/** Saves what a page shows as it is, light, dark and on a phone. */
export async function saveScreenshots(page: Page, name: string): Promise<void> {
  if (!takesScreenshots) return;
  await mkdir(FOLDER, { recursive: true });
  const before = page.viewportSize();
  for (const { look, colorScheme, viewport } of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    // Two frames: one that lays out, and one that has been drawn.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    await page.screenshot({ path: join(FOLDER, `${name}-${look}.png`) });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before !== null) await page.setViewportSize(before);
}
