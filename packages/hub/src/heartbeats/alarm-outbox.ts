import type { GuardedClient } from '@holdword/net/internal';
import { backoffDelay } from '@holdword/protocol/internal';
import type { Log } from '@holdword/runtime';
import { classifyResponse } from '@holdword/runtime/internal';
import type { Store } from '@holdword/store';
import { z } from 'zod';
import type { AlarmTarget } from '../hub-settings.ts';
import { DueList, type DueEntry } from './due-list.ts';

/** What both kinds of alarms say, with JSON field names. */
const alarmFields = {
  /** Stays the same across attempts, so that receivers can deduplicate. */
  alarm_id: z.string(),
  agent_id: z.string(),
  controller_id: z.string().nullable(),
  last_seen_at: z.string(),
  noticed_at: z.string(),
  cadence_seconds: z.number(),
};

/** The webhook payload for an agent that is missing, and for one that has returned. */
export const alarmSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('agent.heartbeat_missed'),
    ...alarmFields,
    /** Hand-offs that were opened for the agent's tasks. */
    handoff_ids: z.array(z.string()),
  }),
  z.object({ type: z.literal('agent.returned'), ...alarmFields, returned_at: z.string() }),
]);
export type Alarm = z.infer<typeof alarmSchema>;

const entrySchema = z.object({ alarm: alarmSchema, attempts: z.number(), since: z.number() });

export interface AlarmOutboxOptions {
  readonly store: Store;
  readonly target: AlarmTarget;
  readonly client: Pick<GuardedClient, 'send'>;
  /** Told when an alarm was delivered or abandoned. */
  readonly ended?: (alarm: Alarm, outcome: 'delivered' | 'abandoned') => Promise<void>;
  readonly now: () => number;
  readonly log: Log;
}

const OUTBOX = 'hub-alarms';
const TIMEOUT_MILLISECONDS = 10_000;
const MAX_ANSWER_BYTES = 16 * 1024;
const FIRST_PAUSE_MILLISECONDS = 500;
const MAX_PAUSE_MILLISECONDS = 5 * 60_000;
const ABANDON_AFTER_MILLISECONDS = 24 * 3_600_000;
const PAGE = 20;

/**
 * The outbox of alarms to the operator.
 *
 * Responsible for at-least-once delivery: an alarm is stored before it is sent, and retried for one day. The client checks
 * the target address on every attempt.
 */
export class AlarmOutbox {
  readonly #options: AlarmOutboxOptions;
  readonly #due: DueList;

  constructor(options: AlarmOutboxOptions) {
    this.#options = options;
    this.#due = new DueList(options.store, OUTBOX);
  }

  async add(alarm: Alarm): Promise<void> {
    const now = this.#options.now();
    await this.#put({ at: now, name: alarm.alarm_id }, { alarm, attempts: 0, since: now });
  }

  /** Sends the alarms that are due. */
  async deliverDue(signal: AbortSignal): Promise<void> {
    const due = await this.#due.due(this.#options.now(), PAGE);
    await Promise.all(
      due.map(({ value, ...entry }) => this.#deliver(entry, entrySchema.parse(JSON.parse(value)), signal)),
    );
  }

  async #deliver(
    entry: DueEntry,
    { alarm, attempts, since }: z.infer<typeof entrySchema>,
    signal: AbortSignal,
  ): Promise<void> {
    const { now, log } = this.#options;
    const error = await this.#send(alarm, signal);
    if (signal.aborted && error !== undefined) return;
    if (error !== undefined) {
      const fields = { alarmId: alarm.alarm_id, agentId: alarm.agent_id, attempts: attempts + 1, error };
      if (now() - since < ABANDON_AFTER_MILLISECONDS) {
        log.warn('Alarm delivery failed; it will be retried.', fields);
        const pause = backoffDelay(attempts, {
          firstMilliseconds: FIRST_PAUSE_MILLISECONDS,
          longestMilliseconds: MAX_PAUSE_MILLISECONDS,
        });
        const again = { at: Math.round(now() + pause), name: entry.name };
        await this.#put(again, { alarm, attempts: attempts + 1, since });
        if (again.at === entry.at) return;
        return this.#due.remove(entry);
      }
      log.error('Alarm delivery failed for one day; the alarm is abandoned.', fields);
    }
    await this.#options.ended?.(alarm, error === undefined ? 'delivered' : 'abandoned');
    await this.#due.remove(entry);
  }

  /** Returns the reason for a failure, without secrets; undefined if the alarm was delivered. */
  async #send(alarm: Alarm, signal: AbortSignal): Promise<string | undefined> {
    const { target, client } = this.#options;
    try {
      const answer = await client.send({
        url: target.url,
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...(target.token !== undefined && { Authorization: `Bearer ${target.token}` }),
        },
        body: JSON.stringify(alarm),
        timeoutMilliseconds: TIMEOUT_MILLISECONDS,
        maxResponseBytes: MAX_ANSWER_BYTES,
        signal,
      });
      const outcome = classifyResponse(answer);
      return outcome.kind === 'delivered' ? undefined : outcome.error;
    } catch (error) {
      return error instanceof Error ? error.message : 'no connection';
    }
  }

  async #put(entry: DueEntry, value: z.infer<typeof entrySchema>): Promise<void> {
    await this.#due.add(entry, JSON.stringify(value));
  }
}
