import { reportMisuse, runCall } from '../calling/run-call.ts';
import { withoutControls } from '../calling/task-text.ts';
import type { Command } from '../command-line/command.ts';
import { compareRuns, outlineOf, type RunDifference } from '../recording/compare-runs.ts';
import { listed } from './command-list.ts';
import { TASK_SOURCE_OPTIONS, withRecording } from './task-source.ts';

const diff: Command = {
  ...listed('diff'),
  misused: reportMisuse,
  details:
    'A and B are files of `holdword task export` or `holdword record`, or tasks. Compares what a user could see: states, texts and ' +
    'artifacts in their order. Ids, times and the chunks of artifacts are no differences. The exit code is 1 if something differs.',
  options: TASK_SOURCE_OPTIONS,
  examples: [
    {
      comment: 'See whether an agent still answers as it did',
      command: 'holdword diff before.jsonl after.jsonl',
    },
  ],
  page: 'guides/record-and-replay.md',
  run: (input) =>
    runCall(input, async (call) => {
      const [first = '', second = ''] = input.operands;
      const a = await withRecording(call, first, ({ events }) => outlineOf(events));
      const b = await withRecording(call, second, ({ events }) => outlineOf(events));
      const differences = compareRuns(a, b);
      call.print({ a: first, b: second, equal: differences.length === 0, differences }, () =>
        differences.length === 0 ? 'No differences.\n' : differencesText(first, second, differences),
      );
      return differences.length === 0 ? 0 : 1;
    }),
};

function differencesText(a: string, b: string, differences: readonly RunDifference[]): string {
  const lines = [`--- ${a}`, `+++ ${b}`];
  let section: string | undefined;
  for (const { what, only, line } of differences) {
    if (what !== section) lines.push(`@@ ${what} @@`);
    section = what;
    lines.push(`${only === 'a' ? '-' : '+'} ${line}`);
  }
  return `${lines.map((line) => withoutControls(line).replaceAll('\n', ' ')).join('\n')}\n`;
}

export const commands: readonly Command[] = [diff];
