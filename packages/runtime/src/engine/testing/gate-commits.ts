import type { Store } from '@holdword/store';
import { overrideStore } from '@holdword/store/testing';
import { expect } from 'vitest';

export interface GatedStore {
  readonly store: Store;
  /** Lets the oldest held commit through, waiting for one if there is none. */
  release(): Promise<void>;
  /** Lets everything through from now on. */
  open(): void;
  /** Holds commits again. */
  close(): void;
  readonly held: number;
}

/** A store whose journal commits wait until the test lets them through. */
export function gateCommits(store: Store): GatedStore {
  const waiting: (() => void)[] = [];
  let isOpen = false;
  const pass = async (): Promise<void> => {
    if (!isOpen) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return {
    store: overrideStore(store, {
      createTask: async (task) => {
        await pass();
        return store.createTask(task);
      },
      append: async (append) => {
        await pass();
        return store.append(append);
      },
    }),
    async release() {
      await expect.poll(() => waiting.length).toBeGreaterThan(0);
      waiting.shift()?.();
    },
    open() {
      isOpen = true;
      for (const next of waiting.splice(0)) next();
    },
    close() {
      isOpen = false;
    },
    get held() {
      return waiting.length;
    },
  };
}
