import { describe, expect, it } from 'vitest';
import { atLeast, atMost } from './target.ts';

describe('targets', () => {
  it('are met at the limit', () => {
    expect(atLeast('speed', 3, 3)).toEqual({ name: 'speed, at least', target: 3, measured: 3, met: true });
    expect(atMost('cost', 3, 3)).toEqual({ name: 'cost, at most', target: 3, measured: 3, met: true });
  });
  it('are missed beyond it, and if nothing was measured', () => {
    expect(atLeast('speed', 3, 2.99).met).toBe(false);
    expect(atMost('cost', 3, 3.01).met).toBe(false);
    expect(atLeast('speed', 3, undefined)).toMatchObject({ measured: null, met: false });
    expect(atMost('cost', 3, undefined)).toMatchObject({ measured: null, met: false });
  });
});
