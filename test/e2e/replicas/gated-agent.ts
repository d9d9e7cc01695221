import { rm, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { textOfParts } from '@holdword/protocol';
import type { Executor, Sink, Turn } from '@holdword/runtime';
import { demoAgent } from '@holdword/runtime/internal';
import { FileGate } from './file-gate.ts';

/**
 * The demo agent, and `gate FILE`: starts, stops at a gate that a test opens from another process, then finishes, or
 * asks a question with `gate FILE ask`. It can resume after a restart. When it is aborted, it still says something.
 * `alone FILE` fails if another turn with that file is running in any process.
 */
const gatedAgent: Executor = {
  execute: (turn, sink) => work(turn, sink, false),
  resume: (turn, sink) => work(turn, sink, true),
};

export default gatedAgent;

async function work(turn: Turn, sink: Sink, resumed: boolean): Promise<void> {
  const text = textOfParts(turn.message.parts);
  const [, place] = /^alone (\S+)/.exec(text) ?? [];
  if (place !== undefined) return beAlone(place, sink);
  const [, file, manner] = /^gate (\S+) ?(\w*)/.exec(text) ?? [];
  if (file === undefined) return demoAgent.execute(turn, sink);
  if (!resumed) await sink.artifact({ artifactId: 'work', parts: 'begun ' });
  await sink.flush();
  const gate = new FileGate(file);
  try {
    await gate.pass(turn.signal);
  } catch (error) {
    gate.callOff();
    await Promise.allSettled([sink.artifact({ artifactId: 'work', parts: 'last words', append: true })]);
    throw error;
  }
  await sink.artifact({ artifactId: 'work', parts: 'finished', append: true });
  if (manner === 'ask') await sink.askInput('Which one?');
  else await sink.complete(resumed ? 'Done after a restart.' : 'Done.');
}

async function beAlone(file: string, sink: Sink): Promise<void> {
  await writeFile(file, '', { flag: 'wx' });
  await pause(20);
  await rm(file);
  await sink.complete('Alone.');
}
