import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LiveAgent } from './agents.ts';
import { CheckContext, type Check } from './check.ts';
import { CORE_CHECKS } from './core-checks.ts';
import { FURTHER_CHECKS } from './further-checks.ts';
import { readReport, renderReport, type Outcome } from './report.ts';
import { REQUIREMENTS } from './requirements.ts';
import { openTool } from './tool.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'reference', 'a2a-cli-compliance.md');
const CHECKS = { ...CORE_CHECKS, ...FURTHER_CHECKS };
const IS_WRITING = process.env['HOLDWORD_WRITE_COMPLIANCE'] !== undefined;
/** The columns of the page. */
const AGENT_IDS: readonly string[] = ['holdword', 'sdk-1', 'sdk-03', 'openclaw'];

/** Runs every check on these agents, and compares what they show with the page. Other agents have the columns that it says. */
export function describeCompliance(start: () => Promise<readonly LiveAgent[]>): void {
  let agents: readonly LiveAgent[] = [];
  const seen = new Map<string, Map<string, Outcome>>();

  beforeAll(async () => {
    agents = await start();
    for (const { id } of agents) seen.set(id, new Map());
  }, 300_000);
  afterAll(() => Promise.all(agents.map((agent) => agent.close())));

  test('every requirement has a check', () => {
    expect(Object.keys(CHECKS).toSorted()).toEqual(REQUIREMENTS.map(({ id }) => id).toSorted());
  });

  test.each(REQUIREMENTS)('$id: $asks', { timeout: 300_000 }, async ({ id }) => {
    const check = CHECKS[id];
    if (check === undefined) throw new Error('there is no check');
    for (const agent of agents.filter((each) => applies(check, each))) {
      const outcome = await outcomeOf(check, agent);
      seen.get(agent.id)?.set(id, outcome);
      if (IS_WRITING && outcome.status === 'fail')
        process.stderr.write(`${id} on ${agent.id}: ${outcome.reason}\n`);
    }
  });

  test('the page says what the checks have shown', async () => {
    const written = await readFile(PAGE, 'utf8');
    const known = readReport(written);
    const columns = AGENT_IDS.map((id, index) => {
      const agent = agents.find((each) => each.id === id);
      return agent === undefined
        ? known[index]
        : { title: agent.title, outcomes: seen.get(id) ?? new Map<string, Outcome>() };
    }).filter((column) => column !== undefined);
    const page = renderReport(REQUIREMENTS, columns);
    if (IS_WRITING) return writeFile(PAGE, page);
    return expect(written.replaceAll(/ +/g, ' ')).toBe(page.replaceAll(/ +/g, ' '));
  });
}

function applies({ on }: Check, agent: LiveAgent): boolean {
  const { isOwn, isOpen, isLegacy, bindings } = agent;
  const shows = {
    every: true,
    current: !isLegacy,
    grpc: bindings.includes('grpc'),
    open: isOpen,
    own: isOwn,
  };
  return shows[on];
}

async function outcomeOf(check: Check, agent: LiveAgent): Promise<Outcome> {
  const tool = await openTool();
  try {
    await check.run(new CheckContext(tool, agent));
    return { status: 'pass' };
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { status: 'fail', reason: reason.slice(0, 300) };
  } finally {
    await tool.close();
  }
}
