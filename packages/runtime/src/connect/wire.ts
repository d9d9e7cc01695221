/**
 * What a worker and its host say to each other, version 1; docs/reference/connect.md describes it for those who write workers.
 * Every message is JSON in a POST request below `/connect/v1/`, or an event of the stream that answers `turns`.
 */
import type { JsonObject, Message, SendMessageConfiguration, Task } from '@holdword/protocol';
import { partSchema, taskStateSchema } from '@holdword/protocol/internal';
import { z } from 'zod';
import { agentDescriptionSchema } from '../agent-description.ts';
import type { TraceContext } from '../observe/tracing.ts';
import type { Owner } from '../owner.ts';

export const CONNECT_PATH = '/connect/v1';

/** What a host accepts of one worker. */
export const MOST_SLOTS = 1_000;
const MOST_HELD = 2 * MOST_SLOTS;
const MOST_EVENTS = 10_000;
export const MOST_MESSAGE_CHARACTERS = 10_000;
/** A report has at most this many bytes of events, unless a single event is larger. */
export const REPORT_BYTES = 1024 * 1024;

const identifier = z.string().min(1).max(128);
const metadata = z.record(z.string(), z.unknown());
const parts = z.array(partSchema).min(1);

/** A turn that was given to a worker. The fence is new each time, so an old one names nothing. */
export const leaseSchema = z.object({ taskId: identifier, fence: identifier });

const heldSchema = leaseSchema.extend({
  /** The worker knows that it was aborted. */
  aborted: z.boolean().optional(),
});

/** What every request of a worker says: who it is, and what it has and can take. */
const stateFields = {
  /** New for each process: a turn that a process has lost with its memory must not look like one that never arrived. */
  worker: z.string().regex(/^[A-Za-z0-9_-]{8,64}$/),
  /** How many turns it runs at the same time; 0 while it drains. */
  slots: z.int().min(0).max(MOST_SLOTS),
  holds: z.array(heldSchema).max(MOST_HELD),
};

export const helloSchema = z.object({
  ...stateFields,
  /** Its agent can continue turns that another worker has begun. */
  resumes: z.boolean(),
  /** Turns of a context that it has worked in are kept for it. */
  affinity: z.boolean().optional(),
  /** It takes a single turn and ends. */
  once: z.boolean().optional(),
  /** What the agent says about itself. */
  card: agentDescriptionSchema.optional(),
});

export const pollSchema = z.object(stateFields);

const statusEvent = z.object({
  status: z.object({
    state: taskStateSchema,
    parts: parts.optional(),
    metadata: metadata.optional(),
    message: z
      .object({
        messageId: identifier.optional(),
        metadata: metadata.optional(),
        extensions: z.array(z.string()).optional(),
        referenceTaskIds: z.array(z.string()).optional(),
      })
      .optional(),
    checkpoint: metadata.optional(),
  }),
});

const artifactEvent = z.object({
  artifact: z.object({
    artifactId: identifier,
    name: z.string().optional(),
    description: z.string().optional(),
    parts,
    metadata: metadata.optional(),
    extensions: z.array(z.string()).optional(),
    append: z.boolean().optional(),
    lastChunk: z.boolean().optional(),
    eventMetadata: metadata.optional(),
    checkpoint: metadata.optional(),
  }),
});

const askEvent = z.object({
  ask: z.object({
    state: z.enum(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED']),
    parts,
    metadata: metadata.optional(),
  }),
});

/** The last event of a turn: how the agent left it. */
const endEvent = z.object({
  end: z.object({
    /**
     * `returned`: as it said, or completed. `failed`: the message is for the caller. `retry`: the turn is to be run again.
     * `released`: the worker gives it back unfinished; `untouched` if it has not begun.
     */
    how: z.enum(['returned', 'failed', 'retry', 'released', 'untouched']),
    message: z.string().max(MOST_MESSAGE_CHARACTERS).optional(),
    retryAfterMilliseconds: z.number().min(0).max(3_600_000).optional(),
  }),
});

export const turnEventSchema = z.union([statusEvent, artifactEvent, askEvent, endEvent]);
export type TurnEvent = z.infer<typeof turnEventSchema>;
export type TurnEnd = z.infer<typeof endEvent>['end'];

/** Events of one turn, numbered from `first` on; the first event of a lease has the number 1. */
export const batchSchema = leaseSchema.extend({
  first: z.int().min(1),
  events: z.array(turnEventSchema).min(1).max(MOST_EVENTS),
});
export type EventBatch = z.infer<typeof batchSchema>;

export const reportSchema = z.object({ ...stateFields, batches: z.array(batchSchema).max(MOST_HELD) });

export const historySchema = leaseSchema.extend({
  worker: stateFields.worker,
  limit: z.int().min(0).max(1_000).optional(),
});

export const byeSchema = z.object({ worker: stateFields.worker });

export type WorkerState = z.infer<typeof pollSchema>;
export type Hello = z.infer<typeof helloSchema>;
export type Lease = z.infer<typeof leaseSchema>;
export type HeldTurn = z.infer<typeof heldSchema>;

/** The answer to a hello. Workers read only what they know, so that fields can be added. */
export const welcomeSchema = z.object({
  /** The name under which the host serves the agent. */
  agent: z.string(),
  /** Where callers find it. */
  url: z.string(),
  /** A worker that is silent for longer has lost its turns. */
  leaseMilliseconds: z.number().positive(),
});
export type Welcome = z.infer<typeof welcomeSchema>;

/** A turn as a worker gets it. */
export interface WireTurn extends Lease {
  contextId: string;
  message: Message;
  task: Task;
  configuration: SendMessageConfiguration;
  metadata: JsonObject;
  /** Who asks. */
  owner: Owner;
  attempt: number;
  /** An earlier worker has begun it: the agent resumes it. */
  resumed: boolean;
  /** What an earlier worker wrote for it. */
  checkpoint?: JsonObject;
  trace?: TraceContext;
}

export type AbortReason = 'canceled' | 'stale';

/** What a host tells a worker. */
export type News =
  | { turn: WireTurn }
  | { abort: Lease & { reason: AbortReason } }
  /** A task that waited for the answer to a question was canceled: the agent frees what it keeps for it. */
  | { release: { taskId: string } };

/** The host is trusted to have validated the turn; only what the worker itself relies on is checked. */
export const newsSchema = z.union([
  z.object({ turn: leaseSchema.loose().extend({ contextId: z.string(), resumed: z.boolean() }) }),
  z.object({ abort: leaseSchema.extend({ reason: z.enum(['canceled', 'stale']) }) }),
  z.object({ release: z.object({ taskId: identifier }) }),
]);

/** How a batch was received. */
export const receiptSchema = leaseSchema.extend({
  /**
   * `stored`: events up to `acknowledged` are on disk. `ended`: the turn is over, whatever else was sent. `stale`: the worker
   * does not have this turn, or no longer. `later`: send it again, the task is being taken over.
   */
  outcome: z.enum(['stored', 'ended', 'stale', 'later']),
  acknowledged: z.number().optional(),
});
export type Receipt = z.infer<typeof receiptSchema>;

export const receiptsSchema = z.object({ receipts: z.array(receiptSchema), news: z.array(newsSchema) });
