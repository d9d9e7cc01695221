import type { Store } from '@holdword/store';
import { z } from 'zod';
import { timeKey } from '../wire/times.ts';
import { alarmSchema, type Alarm } from './alarm-outbox.ts';

/** By the last sign of life of the agent: the alarms that were raised. */
export const ALARM_RECORDS = 'hub-alarm-records';

/** Whether the webhook got an alarm; `none` without a webhook. */
export const ALARM_DELIVERIES = ['none', 'pending', 'delivered', 'abandoned'] as const;
export type AlarmDelivery = (typeof ALARM_DELIVERIES)[number];

const recordSchema = z.object({ alarm: alarmSchema, delivery: z.enum(ALARM_DELIVERIES) });
/** An alarm, and whether it was delivered. */
export type AlarmRecord = z.infer<typeof recordSchema>;

/** The alarms that were raised, for operators. The outbox has only those that are still to be sent. */
export class AlarmRecords {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Records an alarm, once: raising it again after a crash changes nothing. */
  async add(alarm: Alarm, delivery: AlarmDelivery): Promise<void> {
    await this.#store.replaceRecord(
      ALARM_RECORDS,
      keyOf(alarm.alarm_id),
      undefined,
      encode({ alarm, delivery }),
    );
  }

  async setDelivery(alarm: Alarm, delivery: AlarmDelivery): Promise<void> {
    const key = keyOf(alarm.alarm_id);
    const value = await this.#store.getRecord(ALARM_RECORDS, key);
    if (value !== undefined)
      await this.#store.replaceRecord(ALARM_RECORDS, key, value, encode({ alarm, delivery }));
  }

  async find(alarmId: string): Promise<AlarmRecord | undefined> {
    const value = await this.#store.getRecord(ALARM_RECORDS, keyOf(alarmId));
    return value === undefined ? undefined : decode(value);
  }

  /** One page of the alarms, the latest first, each with its position. */
  async list(page: { limit: number; after?: string }): Promise<{ position: string; record: AlarmRecord }[]> {
    const records = await this.#store.listRecords(ALARM_RECORDS, undefined, { descending: true, ...page });
    return records.map(({ key, value }) => ({ position: key, record: decode(value) }));
  }
}

/** The id of an alarm ends with the last sign of life, and with `-returned` for a return. */
function keyOf(alarmId: string): string {
  const time = Number(/-(\d{1,15})(?:-returned)?$/.exec(alarmId)?.[1] ?? 0);
  return `${timeKey(time)}/${alarmId}`;
}

function encode(record: AlarmRecord): string {
  return JSON.stringify(record);
}

function decode(value: string): AlarmRecord {
  return recordSchema.parse(JSON.parse(value));
}
