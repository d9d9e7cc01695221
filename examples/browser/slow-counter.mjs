// An agent that takes its time, and continues after a crash where it was.
import { setTimeout } from 'node:timers/promises';

const MILLISECONDS = Number(process.env.COUNTER_MILLISECONDS ?? 200);

async function count({ message, task, signal }, sink) {
  const target = Number(/\d+/.exec(message.parts[0]?.text)?.[0] ?? 10);
  const counted = task.artifacts?.[0]?.parts[0]?.text.trim().split('\n').length ?? 0;
  for (let number = counted + 1; number <= target; number += 1) {
    await setTimeout(MILLISECONDS, undefined, { signal });
    await sink.artifact({ artifactId: 'numbers', parts: `${number}\n`, append: number > 1 });
  }
  await sink.complete();
}

export default {
  card: { name: 'Slow counter', description: 'Counts to a number, slowly.' },
  execute: count,
  resume: count,
};
