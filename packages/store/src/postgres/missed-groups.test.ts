import { describe, expect, it } from 'vitest';
import { MissedGroups } from './missed-groups.ts';

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
