import { minimizeTask } from '@holdword/client';
import type { Measure } from '../measures.ts';
import { atMost } from '../report/target.ts';
import { sampleTask } from './sample-content.ts';
import { timeRatio } from './time-ratio.ts';

const BUDGET = 50_000;
/** One round is short. */
const MORE_ROUNDS = 3;

/** The time to build a reply from a task with many artifacts, compared with serializing the task as JSON. */
export async function replyTime(sizes: { artifacts: number; rounds: number }): Promise<Measure> {
  const task = sampleTask(sizes.artifacts);
  const result = timeRatio(sizes.rounds * MORE_ROUNDS, task, () => minimizeTask(task, { budget: BUDGET }));
  return {
    figures: {
      replyMilliseconds: result.milliseconds,
      replyStringifyMilliseconds: result.stringifyMilliseconds,
    },
    target: atMost(
      `time for a reply with ${sizes.artifacts} artifacts over JSON.stringify`,
      1.5,
      result.ratio,
    ),
  };
}
