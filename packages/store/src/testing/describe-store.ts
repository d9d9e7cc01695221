import { afterEach, beforeEach, describe } from 'vitest';
import type { Store } from '../port.ts';
import { describeAllTasks } from './suites/describe-all-tasks.ts';
import { describeClosing } from './suites/describe-closing.ts';
import { describeCommits } from './suites/describe-commits.ts';
import { describeIdempotency } from './suites/describe-idempotency.ts';
import { describeJournals } from './suites/describe-journals.ts';
import { describeLeases } from './suites/describe-leases.ts';
import { describeLists } from './suites/describe-lists.ts';
import { describeRecords } from './suites/describe-records.ts';
import { describeReopening } from './suites/describe-reopening.ts';
import { describeRetention } from './suites/describe-retention.ts';
import { describeSnapshots } from './suites/describe-snapshots.ts';
import { describeStatusEvents } from './suites/describe-status-events.ts';
import { describeUsage } from './suites/describe-usage.ts';

export interface StoreFixture {
  /** Empty. */
  store: Store;
  /** Opens the same data again after the store was closed. Absent if the backend is not durable. */
  reopen?: () => Promise<Store>;
  /** Deletes the data. */
  remove?: () => Promise<void>;
}

export type OpenFixture = () => Promise<StoreFixture>;

/** The store of the running test. */
export interface StoreUnderTest {
  readonly store: Store;
  /** Closes the store and opens its data again. */
  reopen(): Promise<Store>;
}

/** The tests that every backend must pass. */
export function describeStore(name: string, openFixture: OpenFixture, options = { isDurable: true }): void {
  describe(`${name} store`, () => {
    const underTest = useStore(openFixture);
    describeJournals(underTest);
    describeStatusEvents(underTest);
    describeSnapshots(underTest);
    describeLists(underTest);
    describeAllTasks(underTest);
    describeIdempotency(underTest);
    describeCommits(underTest);
    describeLeases(underTest);
    describeRecords(underTest);
    describeRetention(underTest, options);
    describeUsage(underTest, options);
    describeClosing(underTest);
    if (options.isDurable) describeReopening(underTest);
  });
}

function useStore(openFixture: OpenFixture): StoreUnderTest {
  let fixture: StoreFixture | undefined;
  function current(): StoreFixture {
    if (fixture === undefined) throw new Error('The store is only open while a test runs.');
    return fixture;
  }
  beforeEach(async () => {
    fixture = await openFixture();
  });
  afterEach(async () => {
    await current().store.close();
    await current().remove?.();
  });
  return {
    get store() {
      return current().store;
    },
    async reopen() {
      const { store, reopen } = current();
      if (reopen === undefined) throw new Error('This store cannot be opened again.');
      await store.close();
      current().store = await reopen();
      return current().store;
    },
  };
}
