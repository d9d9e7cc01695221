import { describe, expect, it } from 'vitest';
import type { RecordPage } from '../../port.ts';
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

    it('lists records by key prefix', async () => {
      const { store } = underTest;
      for (const key of ['a/1', 'a/2', 'a%2', 'b/1', 'a']) await store.putRecord('targets', key, key);
      const keys = async (prefix: string): Promise<string[]> =>
        (await store.listRecords('targets', prefix)).map(({ key }) => key);
      expect(await keys('a/')).toEqual(['a/1', 'a/2']);
      expect(await keys('b')).toEqual(['b/1']);
      expect(await keys('c')).toEqual([]);
    });

    it('sorts keys by code point, even above U+FFFF', async () => {
      const { store } = underTest;
      const ascending = ['a', 'a!', 'z', 'ä', '€', '\uE000', '\uFFFD', '\u{10000}', '👩‍🚀'];
      for (const key of ascending.toReversed()) await store.putRecord('texts', key, key);
      const keys = async (page?: RecordPage): Promise<string[]> =>
        (await store.listRecords('texts', '', page)).map(({ key }) => key);
      expect(await keys()).toEqual(ascending);
      expect(await keys({ after: '\uFFFD' })).toEqual(['\u{10000}', '👩‍🚀']);
      await store.deleteRecord('texts', '\u{10000}');
      await store.putRecord('texts', '\uE001', '');
      expect(await keys({ after: '€' })).toEqual(['\uE000', '\uE001', '\uFFFD', '👩‍🚀']);
    });

    it('preserves NUL and other control characters in keys and values, and their order', async () => {
      const { store } = underTest;
      const ascending = ['a', 'a\0', 'a\0\0', 'a\0b', 'a\u0001', 'a\u0001\u0002', 'a\u0002', 'ab'];
      for (const key of ascending.toReversed()) await store.putRecord('space\0', key, `\0${key}`);
      const records = ascending.map((key) => ({ key, value: `\0${key}` }));
      expect(await store.listRecords('space\0')).toEqual(records);
      expect(await store.listRecords('space\0', 'a\0')).toEqual(records.slice(1, 4));
      expect(await store.listRecords('space\0', 'a', { after: 'a\0b' })).toEqual(records.slice(4));
      expect(await store.listRecords('space')).toEqual([]);
      expect(await store.getRecord('space\0', 'a\0b')).toBe('\0a\0b');
      expect(await store.replaceRecord('space\0', 'a', '\0a', '\u0001')).toBe(true);
      expect(await store.deleteRecord('space\0', 'a', '\u0001')).toBe(true);
    });

    it('lists page by page in both directions', async () => {
      const { store } = underTest;
      await store.putRecord('series', 'a', 'before');
      expect(await store.listRecords('series', 'b/')).toEqual([]);
      for (const key of ['b/2', 'b/0', 'b/3', 'b/1', 'c', 'b/4']) await store.putRecord('series', key, key);
      await store.deleteRecord('series', 'b/4');
      const keys = async (page: RecordPage): Promise<string[]> =>
        (await store.listRecords('series', 'b/', page)).map(({ key }) => key);
      expect(await keys({ limit: 2 })).toEqual(['b/0', 'b/1']);
      expect(await keys({ limit: 9, after: 'b/1' })).toEqual(['b/2', 'b/3']);
      expect(await keys({ limit: 2, descending: true })).toEqual(['b/3', 'b/2']);
      expect(await keys({ descending: true, after: 'b/2' })).toEqual(['b/1', 'b/0']);
      expect(await keys({ after: 'b/3' })).toEqual([]);
      expect(await keys({ after: 'b/11' })).toEqual(['b/2', 'b/3']);
    });

    it('lets one of many concurrent replacements succeed', async () => {
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

    it('deletes a record only if it has the expected value', async () => {
      const { store } = underTest;
      await store.putRecord('claims', 'a', 'mine');
      expect(await store.deleteRecord('claims', 'a', 'theirs')).toBe(false);
      expect(await store.getRecord('claims', 'a')).toBe('mine');
      expect(await store.deleteRecord('claims', 'a', 'mine')).toBe(true);
      expect(await store.deleteRecord('claims', 'a', 'mine')).toBe(false);
      await store.putRecord('claims', 'a', '');
      expect(await store.deleteRecord('claims', 'a', '')).toBe(true);
    });
  });
}
