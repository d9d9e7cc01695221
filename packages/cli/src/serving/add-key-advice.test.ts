import { expect, test } from 'vitest';
import type { Config } from '../config/config-schema.ts';
import { addKeyAdvice } from './add-key-advice.ts';

test.each<[Config, string]>([
  [{}, 'create an API key and restart: holdword keys add NAME'],
  [{ data: '/home/.holdword' }, 'create an API key and restart: holdword keys add NAME'],
  [{ data: '/srv/data' }, 'holdword keys add NAME --data /srv/data'],
  [{ data: "/srv/Ada's data" }, `holdword keys add NAME --data '/srv/Ada'\\''s data'`],
  [{ store: 'json-file' }, 'holdword keys add NAME --store json-file'],
  [
    { store: 'postgres://ada@db/holdword', storeSchema: 'a2a', data: '/srv/data' },
    'holdword keys add NAME --store postgres://ada@db/holdword --store-schema a2a',
  ],
  [{ store: 'postgres://ada:secret@db/holdword' }, 'holdword keys add NAME --store URL'],
  [{ store: 'memory' }, 'in a persistent store: --store memory does not keep keys.'],
  [{ authentication: { apiKeys: false } }, 'enable API keys: the configuration sets "apiKeys" to false.'],
])('%j', (config, advice) => {
  expect(addKeyAdvice(config, '/home').slice(-advice.length)).toBe(advice);
});
