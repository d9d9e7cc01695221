import { describe, expect, it } from 'vitest';
import { groupToPayloads, MissedGroups, payloadToGroup } from './commit-feed.ts';

const writer = '0193b7a4-0000-7000-8000-000000000000';

describe('announcements', () => {
  it('restore a group from several payloads, each short enough for a notification', () => {
    const commits = Array.from({ length: 1000 }, (_, index) => ({
      taskId: `🧨-${index}-\u0000-${'x'.repeat(index % 90)}`,
      lastSequence: index + 1,
    }));
    const payloads = groupToPayloads({ writer, number: 7, commits });
    expect(payloads.length).toBeGreaterThan(1);
    for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8000);

    const groups = payloads.map((payload) => payloadToGroup(payload));
    for (const group of groups) expect(group).toMatchObject({ writer, number: 7 });
    expect(groups.flatMap((group) => group?.commits)).toEqual(commits);
  });

  it.each(['', 'x', '{}', '[]', '["w"]', '["w",1]', '["w",1,["task"]]', '["w",1,[1,"task"]]', 'null'])(
    'ignore foreign payloads: %s',
    (payload) => {
      expect(payloadToGroup(payload)).toBeUndefined();
    },
  );
});

describe('MissedGroups', () => {
  it('waits for an announcement until the next comparison', () => {
    const missed = new MissedGroups();
    missed.begin(new Map([['a', 3]]));
    expect(missed.compare(new Map([['a', 4]]))).toBe(false);
    missed.announced('a', 4);
    expect(missed.compare(new Map([['a', 5]]))).toBe(false);
    expect(missed.compare(new Map([['a', 5]]))).toBe(true);
  });

  it('reports each missed group once, even from an unknown writer', () => {
    const missed = new MissedGroups();
    missed.begin(new Map());
    const committed = new Map([['new', 2]]);
    expect(missed.compare(committed)).toBe(false);
    expect(missed.compare(committed)).toBe(true);
    expect(missed.compare(committed)).toBe(false);
  });

  it('reports nothing that was announced before the comparison, in any order', () => {
    const missed = new MissedGroups();
    missed.begin(new Map());
    missed.announced('a', 9);
    missed.announced('a', 8);
    expect(missed.compare(new Map([['a', 9]]))).toBe(false);
    expect(missed.compare(new Map([['a', 9]]))).toBe(false);
  });
});
