import { setTimeout as pause } from 'node:timers/promises';
import type { Contender } from './contender.ts';

export interface TimedTurns {
  /** Turns that are run first and not counted. */
  readonly warmUpTurns: number;
  /** The number of conversations and of turns in each. */
  readonly conversations: number;
  readonly turns: number;
  /**
   * The pause before each turn. A gateway cleans up after its reply, and an immediate turn of the next contender would pay for
   * that.
   */
  readonly restMilliseconds: number;
}

/**
 * Runs the same conversations with all contenders, turn by turn, so that slow moments of the machine affect all equally; every
 * other turn in reverse order, so that none always follows the same one.
 */
export async function timeAlternately(
  contenders: readonly Contender[],
  { warmUpTurns, conversations, turns, restMilliseconds }: TimedTurns,
  progress: (line: string) => void = () => {},
): Promise<number[][]> {
  const times = contenders.map((): number[] => []);
  const runTurns = async (conversation: string, count: number, isCounted: boolean): Promise<void> => {
    for (let turn = 0; turn < count; turn += 1) {
      const order = [...contenders.entries()];
      for (const [index, contender] of turn % 2 === 0 ? order : order.toReversed()) {
        await pause(restMilliseconds);
        const time = await contender.turn(conversation);
        if (isCounted) times[index]?.push(time);
      }
    }
  };
  progress('warming up');
  await runTurns('warm-up', warmUpTurns, false);
  for (let conversation = 1; conversation <= conversations; conversation += 1) {
    progress(`conversation ${conversation} of ${conversations}`);
    await runTurns(`conversation-${conversation}`, turns, true);
  }
  return times;
}
