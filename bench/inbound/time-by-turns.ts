import { setTimeout as pause } from 'node:timers/promises';
import type { Contender } from './contender.ts';

export interface TimedTurns {
  /** Turns that everybody has first, and that do not count. */
  readonly warmUpTurns: number;
  /** In how many conversations, and how many turns each has. */
  readonly conversations: number;
  readonly turns: number;
  /**
   * How long everybody rests before each turn. A gateway tidies up after its answer, and in a turn that began at once the
   * next contender would pay for that.
   */
  readonly restMilliseconds: number;
}

/**
 * Has the same conversations with all contenders, turn by turn, so that a slow moment of the machine hits all alike; every
 * other turn backwards, so that nobody always comes after the same one.
 */
export async function timeByTurns(
  contenders: readonly Contender[],
  { warmUpTurns, conversations, turns, restMilliseconds }: TimedTurns,
  progress: (line: string) => void = () => {},
): Promise<number[][]> {
  const times = contenders.map((): number[] => []);
  const haveTurns = async (conversation: string, count: number, counts: boolean): Promise<void> => {
    for (let turn = 0; turn < count; turn += 1) {
      const order = [...contenders.entries()];
      for (const [index, contender] of turn % 2 === 0 ? order : order.toReversed()) {
        await pause(restMilliseconds);
        const time = await contender.turn(conversation);
        if (counts) times[index]?.push(time);
      }
    }
  };
  progress('warming up');
  await haveTurns('warm-up', warmUpTurns, false);
  for (let conversation = 1; conversation <= conversations; conversation += 1) {
    progress(`conversation ${conversation} of ${conversations}`);
    await haveTurns(`conversation-${conversation}`, turns, true);
  }
  return times;
}
