import { describe, expect, it } from 'vitest';
import { groupToPayloads, payloadToGroup } from './announcement.ts';

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
