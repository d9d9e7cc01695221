import { z } from 'zod';

/** The minimum of an A2A 0.3 task; the rest is checked after the conversion to 1.0. */
const taskOfV03 = z.looseObject({
  id: z.string().min(1),
  contextId: z.string().min(1),
  status: z.looseObject({ state: z.string() }),
});

const eventOfV03 = z.looseObject({ kind: z.enum(['status-update', 'artifact-update']) });

/** Schema 1: the latest task snapshot, in A2A 0.3 JSON. */
const snapshotRecord = z.looseObject({ schemaVersion: z.literal(1), task: taskOfV03 });

/** Schema 2: the task and its journal. */
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
    error: 'its journal is longer than currentSequence',
  });

export const legacyRecordSchema = z.discriminatedUnion('schemaVersion', [snapshotRecord, journalRecord], {
  error: 'its schemaVersion is neither 1 nor 2',
});

export type LegacyRecord = z.infer<typeof legacyRecordSchema>;
