import { expect, test } from 'vitest';
import type { Config } from '../config/config-schema.ts';
import { addKeyAdvice } from './add-key-advice.ts';

test.each<[Config, string]>([
  [{}, 'make an API key and start again: parley keys add NAME'],
  [{ data: '/home/.parley' }, 'make an API key and start again: parley keys add NAME'],
  [{ data: '/srv/data' }, 'parley keys add NAME --data /srv/data'],
  [{ data: "/srv/Ada's data" }, `parley keys add NAME --data '/srv/Ada'\\''s data'`],
  [{ store: 'json-file' }, 'parley keys add NAME --store json-file'],
  [
    { store: 'postgres://ada@db/parley', storeSchema: 'a2a', data: '/srv/data' },
    'parley keys add NAME --store postgres://ada@db/parley --store-schema a2a',
  ],
  [{ store: 'postgres://ada:secret@db/parley' }, 'parley keys add NAME --store URL'],
  [{ store: 'memory' }, 'in a store that keeps it: --store memory does not.'],
  [{ authentication: { apiKeys: false } }, 'let API keys count: the configuration says "apiKeys": false.'],
])('%j', (config, advice) => {
  expect(addKeyAdvice(config, '/home').slice(-advice.length)).toBe(advice);
});
