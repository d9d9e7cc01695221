import { z } from 'zod';

/** The least that makes a task of A2A 0.3; the rest is checked once it is one of 1.0. */
const taskOfV03 = z.looseObject({
  id: z.string().min(1),
  contextId: z.string().min(1),
  status: z.looseObject({ state: z.string() }),
});

const eventOfV03 = z.looseObject({ kind: z.enum(['status-update', 'artifact-update']) });

/** What version 1 of this plugin kept of a task at first: the task as it was, in the JSON of A2A 0.3. */
const snapshotRecord = z.looseObject({ schemaVersion: z.literal(1), task: taskOfV03 });

/** What it kept later: the task, and the events that led to it. */
const journalRecord = z
  .looseObject({
    schemaVersion: z.literal(2),
    task: taskOfV03,
    currentSequence: z.int().min(0),
    journal: z.array(z.object({ sequence: z.int().min(1), event: eventOfV03 })),
  })
  .refine(
    ({ journal }) => journal.every(({ sequence }, index) => sequence > (journal[index - 1]?.sequence ?? 0)),
    {
      error: 'its events are out of order',
    },
  )
  .refine(({ journal, currentSequence }) => (journal.at(-1)?.sequence ?? 0) <= currentSequence, {
    error: 'it has more events than it says',
  });

export const earlierRecordSchema = z.discriminatedUnion('schemaVersion', [snapshotRecord, journalRecord], {
  error: 'its schemaVersion is neither 1 nor 2',
});

export type EarlierRecord = z.infer<typeof earlierRecordSchema>;
