import { textOfParts, type StreamResponse } from '@holdword/protocol';
import { asObject, messageSchema } from '@holdword/protocol/internal';
import type { CommittedEvent, Store, TaskHeader } from '@holdword/store';
import { z } from 'zod';
import { ADVICE_MARK } from '../../wire/advice-mark.ts';
import type { Fact } from './evidence.ts';
import { reportedWords } from './reported-words.ts';

/** How much of the journals is told: the newest events of each task, and so much text in all. */
const EVENTS_READ = 200;
const MAX_TEXT_LENGTH = 4_000;
const MAX_LENGTH = 24_000;

const internalSchema = z.object({ input: messageSchema.optional() });

/**
 * What users and agents said in the journals of a session, word for word: oldest first, the newest if it is too much. Each entry
 * is one event. The advice of the hub itself is left out.
 */
export async function readTranscript(store: Store, tasks: readonly TaskHeader[]): Promise<Fact[]> {
  const newestFirst: Fact[] = [];
  let length = 0;
  for (const { taskId, firstSequence, lastSequence } of tasks) {
    const after = Math.max(firstSequence - 1, lastSequence - EVENTS_READ);
    const events = await store.readEvents(taskId, after, EVENTS_READ);
    const first = after > 0 && firstSequence === 1 ? await store.readEvents(taskId, 0, 1) : [];
    for (const fact of saidIn(taskId, [...first, ...events]).toReversed()) {
      length += fact.text.length;
      if (length > MAX_LENGTH) return newestFirst.toReversed();
      newestFirst.push(fact);
    }
  }
  return newestFirst.toReversed();
}

function saidIn(taskId: string, events: readonly CommittedEvent[]): Fact[] {
  const said = events.flatMap(({ json, internal, sequence }) => {
    const event = JSON.parse(json) as StreamResponse;
    const input = internal === undefined ? undefined : internalSchema.parse(JSON.parse(internal)).input;
    return [
      ...textsOf(event),
      ...(input === undefined ? [] : [{ by: 'user' as const, text: textOfParts(input.parts) }]),
    ]
      .filter(({ text }) => text.trim() !== '')
      .map(({ by, text }): Fact => ({
        text: reportedWords(text, MAX_TEXT_LENGTH),
        by,
        source: { task_id: taskId, sequence },
      }));
  });
  return events.some(isAdvice) ? said.filter(({ by }) => by === 'user') : said;
}

function textsOf(event: StreamResponse): { by: 'user' | 'agent'; text: string }[] {
  if ('artifactUpdate' in event)
    return [{ by: 'agent', text: textOfParts(event.artifactUpdate.artifact.parts) }];
  const status = 'statusUpdate' in event ? event.statusUpdate.status : 'task' in event && event.task.status;
  const history = 'task' in event ? (event.task.history ?? []) : [];
  return [
    ...history.map(({ role, parts }) => ({
      by: role === 'ROLE_USER' ? ('user' as const) : ('agent' as const),
      text: textOfParts(parts),
    })),
    ...(status && status.message !== undefined
      ? [{ by: 'agent' as const, text: textOfParts(status.message.parts) }]
      : []),
  ];
}

function isAdvice({ json }: CommittedEvent): boolean {
  if (!json.includes(ADVICE_MARK)) return false;
  const { artifact } = asObject(asObject(JSON.parse(json))['artifactUpdate']);
  return asObject(asObject(artifact)['metadata'])[ADVICE_MARK] === true;
}
