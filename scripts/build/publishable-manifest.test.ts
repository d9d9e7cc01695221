import { expect, test } from 'vitest';
import { publishableManifest } from './publishable-manifest.ts';

test('paths lead to compiled files and development parts are left out', () => {
  expect(
    publishableManifest({
      name: 'holdword',
      version: '1.2.3',
      bin: { holdword: './src/main.ts' },
      exports: {
        '.': './src/index.ts',
        './sqlite': './src/sqlite/index.ts',
        './schema.json': './schema.json',
        './testing': './src/testing/index.ts',
      },
      dependencies: { zod: '4.0.0' },
      devDependencies: { vitest: '1.0.0' },
      scripts: { test: 'x' },
    }),
  ).toEqual({
    name: 'holdword',
    version: '1.2.3',
    bin: { holdword: './main.js' },
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './sqlite': { types: './sqlite/index.d.ts', default: './sqlite/index.js' },
      './schema.json': './schema.json',
    },
    dependencies: { zod: '4.0.0' },
  });
});

test('a plugin leads OpenClaw to compiled files', () => {
  const plugin = {
    extensions: ['./src/index.ts'],
    setupEntry: './src/setup-entry.ts',
    channel: { id: 'a2a' },
  };
  expect(publishableManifest({ name: 'plugin', version: '1.2.3', openclaw: plugin })).toEqual({
    name: 'plugin',
    version: '1.2.3',
    openclaw: { extensions: ['./index.js'], setupEntry: './setup-entry.js', channel: { id: 'a2a' } },
  });
});
