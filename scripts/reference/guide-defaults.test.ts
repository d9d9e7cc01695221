import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeSettings } from '../../packages/cli/src/config/describe-settings.ts';

/** A default that can be compared, not an explanation. */
const VALUE = /^(?:\d+|true|false)$/;

const guides = join(import.meta.dirname, '..', '..', 'docs', 'guides');
const settings = describeSettings();
/** The file, a setting, and the default that the table of the guide tells. */
const told = globSync('**/*.md', { cwd: guides }).flatMap((file) =>
  defaultsIn(readFileSync(join(guides, file), 'utf8'))
    .filter(([name]) => settingsCalled(name, file).length > 0)
    .map(([name, value]) => [file, name, value] as const),
);

test('the guides tell defaults at all', () => {
  expect(told.length).toBeGreaterThan(25);
});

test.each(told)('%s: the default of %s is %s', (file, name, value) => {
  const defaults = settingsCalled(name, file).map((setting) => setting.default?.replace(/ \(.*\)$/, ''));
  expect([...new Set(defaults)]).toEqual([value]);
});

test('the guide for operators tells every limit', () => {
  const page = readFileSync(join(guides, 'operate.md'), 'utf8');
  const limits = settings.map(({ path }) => path).filter((path) => path.startsWith('limits.'));
  expect(limits.length).toBeGreaterThan(10);
  expect(limits.filter((path) => !page.includes(`\n| \`${path}\` `))).toEqual([]);
});

/** The guide of the hub names the hub's options without what stands before them, other guides those of agents. */
function settingsCalled(name: string, file: string): typeof settings {
  const start = file === 'hub.md' ? 'hubOptions.' : 'agentOptions.';
  return settings.filter(
    ({ path }) => path === name || (path.startsWith(start) && path.endsWith(`.${name}`)),
  );
}

/** The rows of tables with a setting or an option in the first column, and a column for its default. */
function defaultsIn(page: string): [name: string, value: string][] {
  const found: [string, string][] = [];
  let column = -1;
  for (const line of page.split('\n')) {
    const cells = line.split('|').map((cell) => cell.trim());
    if (!line.startsWith('|')) column = -1;
    else if (/^(?:Setting|Option)$/.test(cells[1] ?? '')) column = cells.indexOf('Default');
    if (column === -1) continue;
    const [, name] = /^`([\w.]+)`/.exec(cells[1] ?? '') ?? [];
    const value = cells[column]?.replaceAll('`', '') ?? '';
    if (name !== undefined && VALUE.test(value)) found.push([name, value]);
  }
  return found;
}
