import { describe, expect, it } from 'vitest';
import { formatResult, isMet, type Report } from './report.ts';
import { atLeast } from './target.ts';

const report = (measured: number | undefined): Report => ({
  bench: 'send',
  peers: { holdword: { perSecond: 9 } },
  ratios: {},
  targets: [atLeast('speed', 3, 4), atLeast('other', 3, measured)],
});

describe('report', () => {
  it('is met if every target is', () => {
    expect(isMet(report(3))).toBe(true);
    expect(isMet(report(2))).toBe(false);
    expect(isMet(report(undefined))).toBe(false);
  });

  it('shows the tables and then the targets', () => {
    const text = formatResult({ report: report(undefined), tables: ['first', 'second'] });
    expect(text.startsWith('first\n\nsecond\n\ntarget')).toBe(true);
    expect(text).toMatch(/speed, at least\s+3\.00\s+4\.00\s+met/);
    expect(text).toMatch(/other, at least\s+3\.00\s+not measured\s+MISSED/);
  });
});
