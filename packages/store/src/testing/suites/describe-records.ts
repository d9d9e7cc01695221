import { describe, expect, it } from 'vitest';
import type { StoreUnderTest } from '../describe-store.ts';

export function describeRecords(underTest: StoreUnderTest): void {
  describe('records', () => {
    it('puts, replaces, lists by key and deletes', async () => {
      const { store } = underTest;
      expect(await store.getRecord('keys', 'b')).toBeUndefined();
      expect(await store.listRecords('keys')).toEqual([]);

      await Promise.all([
        store.putRecord('keys', 'b', 'old'),
        store.putRecord('keys', 'b', 'new\n\t👩‍🚀'),
        store.putRecord('keys', 'a', ''),
        store.putRecord('other', 'b', 'elsewhere'),
      ]);
      expect(await store.getRecord('keys', 'b')).toBe('new\n\t👩‍🚀');
      expect(await store.listRecords('keys')).toEqual([
        { key: 'a', value: '' },
        { key: 'b', value: 'new\n\t👩‍🚀' },
      ]);

      expect(await store.deleteRecord('keys', 'b')).toBe(true);
      expect(await store.deleteRecord('keys', 'b')).toBe(false);
      expect(await store.getRecord('keys', 'b')).toBeUndefined();
      expect(await store.getRecord('other', 'b')).toBe('elsewhere');
    });
  });
}
