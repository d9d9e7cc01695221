import { describe, expect, it } from 'vitest';
import { GroupPace } from './group-pace.ts';

function paceAfter(...commits: number[]): GroupPace {
  const pace = new GroupPace();
  for (const milliseconds of commits) pace.learn(milliseconds);
  return pace;
}

describe('GroupPace', () => {
  it('holds groups back until it knows the disk', () => {
    expect(paceAfter().mayLeave(100, 0)).toBe(false);
  });

  it('lets groups that are worth a sync leave on a quick disk, a few at once', () => {
    const pace = paceAfter(1);
    expect(pace.mayLeave(10, 0)).toBe(true);
    expect(pace.mayLeave(10, 2)).toBe(true);
    expect(pace.mayLeave(9, 0)).toBe(false);
    expect(pace.mayLeave(100, 3)).toBe(false);
  });

  it('gathers larger groups for a slow disk, and follows its changes', () => {
    expect(paceAfter(10).mayLeave(100, 1)).toBe(false);
    expect(paceAfter(1, 30).mayLeave(10, 1)).toBe(false);
    expect(paceAfter(10, ...Array.from({ length: 20 }, () => 1)).mayLeave(10, 1)).toBe(true);
  });
});
