import type { Requirement } from './requirements.ts';

/** What a check showed on an agent: it holds, or why not. */
export type Outcome = { readonly status: 'pass' } | { readonly status: 'fail'; readonly reason: string };

/** What was seen on one agent. Requirements that it cannot show are absent. */
export interface Column {
  readonly title: string;
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

const TIERS = { 1: 'Tier 1, core', 2: 'Tier 2, standard', 3: 'Tier 3, advanced' } as const;
const CANNOT_SHOW = '–';

/** The page docs/reference/a2a-cli-compliance.md. */
export function renderReport(requirements: readonly Requirement[], columns: readonly Column[]): string {
  const failures = requirements.flatMap(({ id }) =>
    columns.flatMap(({ title, outcomes }) => {
      const outcome = outcomes.get(id);
      return outcome?.status === 'fail' ? [`- ${id}, ${title}: ${outcome.reason}`] : [];
    }),
  );
  return [
    '# Compliance with the specification of A2A command lines',
    '',
    'This page is generated: `npm run write:compliance` runs every check against live agents and writes down what it saw, and',
    '`npm test` fails if the page says something else.',
    '',
    'The specification is that of the A2A project, version 0.2, revision of 2026-08-17, in review. A requirement is met if its',
    'check passed on every agent that can show it. A dash stands for an agent that cannot: only the demo server has logins,',
    'signatures and push notifications. What no agent does, such as the state `TASK_STATE_UNSPECIFIED`, comes from a scripted one.',
    'OpenClaw is a gateway with the channel of `@holdword/openclaw-a2a-inbound`, called as a peer with a key.',
    'The demo server was not run through the official test suite of agents.',
    '',
    ...tally(requirements, columns),
    ...([1, 2, 3] as const).flatMap((tier) => [
      `## ${TIERS[tier]}`,
      '',
      ...table(
        ['Requirement', 'What it asks', ...columns.map(({ title }) => title)],
        requirements
          .filter((requirement) => requirement.tier === tier)
          .map(({ id, asks }) => [
            id,
            asks,
            ...columns.map(({ outcomes }) => outcomes.get(id)?.status ?? CANNOT_SHOW),
          ]),
      ),
      '',
    ]),
    '## Failures',
    '',
    ...(failures.length === 0 ? ['None.'] : failures),
    '',
    '## What the specification leaves open',
    '',
    'The names of labels, the values of `--transport`, the default of `--timeout` (10 minutes) and the options of the commands of Tiers 2',
    'and 3 are ours; [the decision](../decisions/2026-11-18-commands-that-call.md) says why. `send` stays plain on a terminal, as the',
    'specification asks; `send -i` and `chat` are the interactive ones. Ctrl-C exits with code 130.',
    '',
  ].join('\n');
}

/** The columns of a page that was written before. */
export function readReport(page: string): Column[] {
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  const titles = rows.find(([first]) => first === 'Requirement')?.slice(2) ?? [];
  return titles.map((title, index) => {
    const outcomes = new Map<string, Outcome>();
    for (const [id = '', , ...cells] of rows) {
      const status = cells[index];
      if (status === 'pass') outcomes.set(id, { status });
      if (status === 'fail') outcomes.set(id, { status, reason: reasonIn(page, `- ${id}, ${title}: `) });
    }
    return { title, outcomes };
  });
}

function reasonIn(page: string, start: string): string {
  return (
    page
      .split('\n')
      .find((line) => line.startsWith(start))
      ?.slice(start.length) ?? ''
  );
}

/** Whether a requirement was shown, and nowhere refuted. */
function isMet(id: string, columns: readonly Column[]): boolean {
  const all = columns.map(({ outcomes }) => outcomes.get(id)).filter((outcome) => outcome !== undefined);
  return all.length > 0 && all.every(({ status }) => status === 'pass');
}

function tally(requirements: readonly Requirement[], columns: readonly Column[]): string[] {
  const rows = ([1, 2, 3] as const).map((tier) => {
    const own = requirements.filter((requirement) => requirement.tier === tier);
    const met = own.filter(({ id }) => isMet(id, columns)).length;
    return [TIERS[tier], String(own.length), String(met), met === own.length ? 'yes' : 'no'];
  });
  return [...table(['Tier', 'Requirements', 'Met', 'Satisfied'], rows), ''];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}
