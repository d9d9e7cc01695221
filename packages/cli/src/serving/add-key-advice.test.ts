import { expect, test } from 'vitest';
import type { Config } from '../config/config-schema.ts';
import { addKeyAdvice } from './add-key-advice.ts';

test.each<[Config, string]>([
  [{}, 'make an API key and start again: holdword keys add NAME'],
  [{ data: '/home/.holdword' }, 'make an API key and start again: holdword keys add NAME'],
  [{ data: '/srv/data' }, 'holdword keys add NAME --data /srv/data'],
  [{ data: "/srv/Ada's data" }, `holdword keys add NAME --data '/srv/Ada'\\''s data'`],
  [{ store: 'json-file' }, 'holdword keys add NAME --store json-file'],
  [
    { store: 'postgres://ada@db/holdword', storeSchema: 'a2a', data: '/srv/data' },
    'holdword keys add NAME --store postgres://ada@db/holdword --store-schema a2a',
  ],
  [{ store: 'postgres://ada:secret@db/holdword' }, 'holdword keys add NAME --store URL'],
  [{ store: 'memory' }, 'in a store that keeps it: --store memory does not.'],
  [{ authentication: { apiKeys: false } }, 'let API keys count: the configuration says "apiKeys": false.'],
])('%j', (config, advice) => {
  expect(addKeyAdvice(config, '/home').slice(-advice.length)).toBe(advice);
});
