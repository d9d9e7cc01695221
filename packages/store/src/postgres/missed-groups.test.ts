import { describe, expect, it } from 'vitest';
import { MissedGroups } from './missed-groups.ts';

describe('MissedGroups', () => {
  it('gives an announcement time until the next comparison', () => {
    const missed = new MissedGroups();
    missed.begin(new Map([['a', 3]]));
    expect(missed.compare(new Map([['a', 4]]))).toBe(false);
    missed.announced('a', 4);
    expect(missed.compare(new Map([['a', 5]]))).toBe(false);
    expect(missed.compare(new Map([['a', 5]]))).toBe(true);
  });

  it('reports each loss once, also of a writer it has never heard of', () => {
    const missed = new MissedGroups();
    missed.begin(new Map());
    const committed = new Map([['new', 2]]);
    expect(missed.compare(committed)).toBe(false);
    expect(missed.compare(committed)).toBe(true);
    expect(missed.compare(committed)).toBe(false);
  });

  it('misses nothing that was announced before the database was asked, in any order', () => {
    const missed = new MissedGroups();
    missed.begin(new Map());
    missed.announced('a', 9);
    missed.announced('a', 8);
    expect(missed.compare(new Map([['a', 9]]))).toBe(false);
    expect(missed.compare(new Map([['a', 9]]))).toBe(false);
  });
});
