import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCurrentSdk, startDemoServer, startLegacySdk, type LiveAgent } from './agents.ts';
import { CheckContext, type Check } from './check.ts';
import { CORE_CHECKS } from './core-checks.ts';
import { FURTHER_CHECKS } from './further-checks.ts';
import { renderReport, type Outcome } from './report.ts';
import { REQUIREMENTS } from './requirements.ts';
import { openTool } from './tool.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'reference', 'a2a-cli-compliance.md');
const CHECKS = { ...CORE_CHECKS, ...FURTHER_CHECKS };
const IS_WRITING = process.env['HOLDWORD_WRITE_COMPLIANCE'] !== undefined;
/** The SDK of A2A 0.3 is not a dependency; without it, its column is that of the page. */
const agents: LiveAgent[] = [];
const results = new Map<string, Map<string, Outcome>>();

beforeAll(async () => {
  agents.push(await startDemoServer(), await startCurrentSdk());
  const legacy = await startLegacySdk();
  if (legacy === undefined)
    process.stderr.write('The SDK of A2A 0.3 cannot be installed; its checks are skipped.\n');
  else agents.push(legacy);
}, 300_000);
afterAll(() => Promise.all(agents.map((agent) => agent.close())));

test('every requirement has a check', () => {
  expect(Object.keys(CHECKS).toSorted()).toEqual(REQUIREMENTS.map(({ id }) => id).toSorted());
});

function applies({ on }: Check, agent: LiveAgent): boolean {
  return on === 'every' || agent.isOwn || (on === 'current' && !agent.isLegacy);
}

test.each(REQUIREMENTS)('$id: $asks', { timeout: 300_000 }, async ({ id }) => {
  const check = CHECKS[id];
  if (check === undefined) throw new Error('there is no check');
  const outcomes = new Map<string, Outcome>();
  results.set(id, outcomes);
  for (const agent of agents.filter((each) => applies(check, each))) {
    const tool = await openTool();
    try {
      await check.run(new CheckContext(tool, agent));
      outcomes.set(agent.id, { status: 'pass' });
    } catch (error) {
      const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
      outcomes.set(agent.id, { status: 'fail', reason: reason.slice(0, 300) });
      if (IS_WRITING) process.stderr.write(`${id} on ${agent.id}: ${String(error)}\n`);
    } finally {
      await tool.close();
    }
  }
});

test('the page says what the checks have shown', async () => {
  const page = renderReport(REQUIREMENTS, agents, results);
  if (IS_WRITING) return writeFile(PAGE, page);
  const written = await readFile(PAGE, 'utf8');
  const known = agents.length === 3 ? written : withoutLastColumn(written);
  return expect(known.replaceAll(/ +/g, ' ')).toBe(page.replaceAll(/ +/g, ' '));
});

/** The rows of the page without the agent that could not be started. */
function withoutLastColumn(page: string): string {
  return page.replaceAll(/^(\| (?:A2ACLI_|Requirement|-)[^\n]*)\|[^|\n]*\|$/gm, '$1|');
}
