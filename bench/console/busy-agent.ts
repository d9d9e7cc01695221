import { setTimeout } from 'node:timers/promises';
import type { Executor, Sink } from '@holdword/runtime';

/** An artifact gets this many chunks, then the next one begins. */
const CHUNKS = 200;
const PAUSE_MILLISECONDS = 20;

/**
 * `busy 20000 500 10`: writes that many events as fast as it can, then 500 a second for ten seconds. Of ten events, two are a step of a
 * tool, one reports something, and seven are chunks of an artifact.
 */
const agent: Executor = {
  card: {
    name: 'Busy',
    description: 'Writes many events.',
    version: '1.0.0',
    skills: [{ id: 'busy', name: 'busy', description: 'Writes many events.', tags: ['bench'] }],
  },
  async execute(turn, sink) {
    const text = turn.message.parts[0]?.text ?? '';
    const [atOnce = 0, perSecond = 0, seconds = 0] = text.split(' ').slice(1).map(Number);
    let written = 0;
    for (; written < atOnce; written += 1) await write(sink, written);
    const startedAt = performance.now();
    while (written < atOnce + perSecond * seconds) {
      const due = Math.min(seconds, (performance.now() - startedAt) / 1_000) * perSecond;
      for (; written < atOnce + due; written += 1) await write(sink, written);
      await setTimeout(PAUSE_MILLISECONDS);
    }
    await sink.complete('All events are written.');
  },
};

async function write(sink: Sink, index: number): Promise<void> {
  const step = Math.floor(index / 10);
  const tool = { name: 'query_database', callId: `call-${step}` };
  if (index % 10 === 0) await sink.status(undefined, { metadata: { tool: { ...tool, phase: 'start' } } });
  else if (index % 10 === 8) await sink.status(undefined, { metadata: { tool: { ...tool, phase: 'end' } } });
  else if (index % 10 === 9) await sink.status(`Region ${step} is done.`);
  else {
    const chunk = Math.floor(index / CHUNKS);
    const isFirst = index % CHUNKS === 1;
    await sink.artifact({
      artifactId: `rows-${chunk}`,
      name: `rows-${chunk}.txt`,
      parts: `row ${index}: revenue ${index % 97}, change ${index % 13}\n`,
      append: !isFirst,
      lastChunk: index % CHUNKS === CHUNKS - 3,
    });
  }
}

export default agent;
