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

    it('lists the records whose key begins alike', async () => {
      const { store } = underTest;
      for (const key of ['a/1', 'a/2', 'a%2', 'b/1', 'a']) await store.putRecord('targets', key, key);
      const keys = async (prefix: string): Promise<string[]> =>
        (await store.listRecords('targets', prefix)).map(({ key }) => key);
      expect(await keys('a/')).toEqual(['a/1', 'a/2']);
      expect(await keys('b')).toEqual(['b/1']);
      expect(await keys('c')).toEqual([]);
    });

    it('lets one of many that replace a record at once have its way', async () => {
      const { store } = underTest;
      const first = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          store.replaceRecord('claims', 'task', undefined, `${index}`),
        ),
      );
      expect(first.filter(Boolean)).toHaveLength(1);
      const winner = `${first.indexOf(true)}`;
      expect(await store.getRecord('claims', 'task')).toBe(winner);
      expect(await store.replaceRecord('claims', 'task', 'somebody else', 'x')).toBe(false);
      expect(await store.replaceRecord('claims', 'task', winner, 'next')).toBe(true);
      expect(await store.getRecord('claims', 'task')).toBe('next');
    });
  });
}
