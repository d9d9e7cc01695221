import { setTimeout as pause } from 'node:timers/promises';
import type { Contender } from './contender.ts';

export interface TimedTurns {
  /** In which conversations, and how many turns each has: the first one warms up and does not count. */
  readonly conversations: number;
  readonly turns: number;
  /**
   * How long everybody rests before each turn. A gateway tidies up after its answer, and in a turn that began at once the
   * next contender would pay for that.
   */
  readonly restMilliseconds: number;
}

/** Has the same conversations with all contenders, turn by turn, so that a slow moment of the machine hits all alike. */
export async function timeByTurns(
  contenders: readonly Contender[],
  { conversations, turns, restMilliseconds }: TimedTurns,
  progress: (line: string) => void = () => {},
): Promise<number[][]> {
  const times = contenders.map((): number[] => []);
  for (let conversation = 0; conversation <= conversations; conversation += 1) {
    progress(conversation === 0 ? 'warming up' : `conversation ${conversation} of ${conversations}`);
    for (let turn = 0; turn < turns; turn += 1) {
      for (const [index, contender] of contenders.entries()) {
        await pause(restMilliseconds);
        const time = await contender.turn(`conversation-${conversation}`);
        if (conversation > 0) times[index]?.push(time);
      }
    }
  }
  return times;
}
