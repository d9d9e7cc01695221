import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take minutes. Each runs in a single worker, so the run ends late if one of them starts late. */
const LONGEST = [
  'test/openclaw/inbound/inbound.test.ts',
  'test/openclaw/cli.test.ts',
  'test/openclaw/outbound/remote-agent.test.ts',
  'test/openclaw/client.test.ts',
  'test/e2e/docs.test.ts',
];

/** The projects, those with the slow files first. */
const PROJECTS = ['openclaw', 'e2e', 'unit'];

/** Starts long files before short ones, even in a fresh clone, where Vitest has no durations yet. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method, which returns a new list
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || rank(a) - rank(b));
  }
}

function groupOf({ project }: TestSpecification): number {
  return project.config.sequence.groupOrder;
}

function rank({ moduleId, project }: TestSpecification): number {
  const position = LONGEST.findIndex((file) => moduleId.endsWith(file));
  return position === -1 ? LONGEST.length + PROJECTS.indexOf(project.name) : position;
}
