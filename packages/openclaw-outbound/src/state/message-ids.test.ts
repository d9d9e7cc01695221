import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { MessageIds } from './message-ids.ts';
import { StateStore } from './state-store.ts';

const INTENT = ['session', 'target', 'hello'];

function open(folder?: string): { ids: MessageIds; state: StateStore } {
  const state = new StateStore({ folder });
  onTestFinished(() => state.close());
  return { ids: new MessageIds(state), state };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('the same intent', () => {
  test('keeps its id across calls while it is unknown whether it arrived', async () => {
    const { ids } = open();
    const first = await ids.begin(INTENT, 'call-1');
    first.keepForRetry();
    const second = await ids.begin(INTENT, 'call-2');
    expect(second.messageId).toBe(first.messageId);
  });

  test('gets a new id once it was answered', async () => {
    const { ids } = open();
    const first = await ids.begin(INTENT, 'call-1');
    first.settle();
    expect((await ids.begin(INTENT, 'call-2')).messageId).not.toBe(first.messageId);
  });

  test('keeps its id if the host repeats the call soon, but not later', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    const { ids } = open();
    const first = await ids.begin(INTENT, 'call-1');
    first.settle();
    const again = await ids.begin(INTENT, 'call-1');
    expect(again.messageId).toBe(first.messageId);
    again.settle();
    vi.setSystemTime(61_000);
    expect((await ids.begin(INTENT, 'call-1')).messageId).not.toBe(first.messageId);
  });

  test('gets two ids if two calls run concurrently', async () => {
    const { ids } = open();
    const [first, second] = [await ids.begin(INTENT, 'call-1'), await ids.begin(INTENT, 'call-2')];
    expect(second.messageId).not.toBe(first.messageId);
  });

  test('gets a new id after a day without an answer', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    const { ids } = open();
    const first = await ids.begin(INTENT, 'call-1');
    first.keepForRetry();
    vi.setSystemTime(25 * 60 * 60 * 1000);
    expect((await ids.begin(INTENT, 'call-2')).messageId).not.toBe(first.messageId);
  });
});

test('another intent gets another id', async () => {
  const { ids } = open();
  const first = await ids.begin(INTENT, 'call-1');
  first.keepForRetry();
  expect((await ids.begin(['session', 'target', 'bye'], 'call-1')).messageId).not.toBe(first.messageId);
});

describe('with a folder', () => {
  test('the id of an unanswered message survives a restart and is removed once answered', async () => {
    const path = await temporaryFolder();
    const before = open(path);
    const first = await before.ids.begin(INTENT, 'call-1');
    first.keepForRetry();
    await before.state.close();

    const after = open(path);
    const second = await after.ids.begin(INTENT, 'call-2');
    expect(second.messageId).toBe(first.messageId);
    second.settle();
    await after.state.close();

    const last = open(path);
    expect((await last.ids.begin(INTENT, 'call-3')).messageId).not.toBe(first.messageId);
  });

  test('a slow message is written to disk before its answer', async () => {
    const path = await temporaryFolder();
    const running = open(path);
    const { messageId } = await running.ids.begin(INTENT, 'call-1');
    await expect.poll(() => running.state.list('unanswered')).toHaveLength(1);
    const restarted = open(path);
    expect((await restarted.ids.begin(INTENT, 'call-2')).messageId).toBe(messageId);
  });
});
