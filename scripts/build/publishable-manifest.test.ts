import { expect, test } from 'vitest';
import { pluginManifest, publishableManifest } from './publishable-manifest.ts';

const SOURCE = {
  name: 'package',
  version: '1.2.3',
  private: true,
  files: [],
  scripts: { prepack: 'x' },
  devDependencies: { vitest: '1.0.0' },
  dependencies: { zod: '^4.0.0' },
};

test('paths lead to compiled files, and what guards the sources is left out', () => {
  expect(
    publishableManifest(
      {
        ...SOURCE,
        bin: { holdword: './src/main.ts' },
        exports: {
          '.': './src/index.ts',
          './sqlite': './src/sqlite/index.ts',
          './schema.json': './schema.json',
          './testing': './src/testing/index.ts',
        },
      },
      ['src', 'schema.json', 'dist', 'LICENSE', 'README.md', 'package.json'],
    ),
  ).toEqual({
    name: 'package',
    version: '1.2.3',
    bin: { holdword: 'dist/main.js' },
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './sqlite': { types: './dist/sqlite/index.d.ts', default: './dist/sqlite/index.js' },
      './schema.json': './schema.json',
    },
    files: ['dist', 'schema.json', 'src'],
    dependencies: { zod: '^4.0.0' },
  });
});

test('a plugin leads OpenClaw to bundled files, and exports nothing', () => {
  const openclaw = {
    extensions: ['./src/index.ts'],
    setupEntry: './src/setup-entry.ts',
    channel: { id: 'a2a' },
  };
  const files = ['index.js', 'openclaw.plugin.json', 'node_modules', 'package.json'];
  expect(pluginManifest({ ...SOURCE, exports: { '.': './src/index.ts' }, openclaw }, files)).toEqual({
    name: 'package',
    version: '1.2.3',
    files: ['index.js', 'openclaw.plugin.json'],
    dependencies: { zod: '^4.0.0' },
    openclaw: { extensions: ['./index.js'], setupEntry: './setup-entry.js', channel: { id: 'a2a' } },
  });
});
