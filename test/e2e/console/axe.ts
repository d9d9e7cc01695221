import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe-core finds on a page, light and dark. */
export async function violationsInBothThemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const violation of await violationsOn(page)) found.push(`${colorScheme}: ${violation}`);
  }
  return found;
}

/** What axe-core finds on a page, by rule and element. */
export async function violationsOn(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(AXE, 'utf8'));
  const run = `axe.run(document, { runOnly: ${JSON.stringify(RULES)} })`;
  const { violations } = (await page.evaluate(run)) as { violations: readonly Violation[] };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
