import { describe, expect, it } from 'vitest';
import { GroupPace } from './group-pace.ts';

function paceAfter(...commits: number[]): GroupPace {
  const pace = new GroupPace();
  for (const milliseconds of commits) pace.learn(milliseconds);
  return pace;
}

describe('GroupPace', () => {
  it('sends no group early until it has measured the disk', () => {
    expect(paceAfter().maySend(100, 0)).toBe(false);
  });

  it('sends groups that are worth a sync early on a fast disk, a few at a time', () => {
    const pace = paceAfter(1);
    expect(pace.maySend(10, 0)).toBe(true);
    expect(pace.maySend(10, 2)).toBe(true);
    expect(pace.maySend(9, 0)).toBe(false);
    expect(pace.maySend(100, 3)).toBe(false);
  });

  it('builds larger groups for a slow disk and adapts when its speed changes', () => {
    expect(paceAfter(10).maySend(100, 1)).toBe(false);
    expect(paceAfter(1, 30).maySend(10, 1)).toBe(false);
    expect(paceAfter(10, ...Array.from({ length: 20 }, () => 1)).maySend(10, 1)).toBe(true);
  });
});
