import http from 'node:http';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown, type OutputChunk, type Plugin } from 'rolldown';
import { BUNDLED_COMMANDS } from '../../packages/cli/src/commands/bundled-commands.ts';
import { thirdPartyLicenses } from './third-party-licenses.ts';

const sources = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src');
const ENTRY = 'bundled';
/** Has the files that are loaded when they are needed. */
const FOLDER = 'bundled';

/**
 * Replaces the entry for bundled commands, among the compiled files of the command line, by a bundle with everything that
 * these commands need, and adds what they load late as further files. They load two dozen files then instead of 300.
 */
export async function bundleCommands(compiled: string): Promise<void> {
  const chunks = await bundle();
  await rm(join(compiled, `${ENTRY}.js.map`), { force: true });
  await mkdir(join(compiled, FOLDER), { recursive: true });
  for (const { fileName, code } of chunks) await writeFile(join(compiled, fileName), code);
  const modules = chunks.flatMap((chunk) => Object.keys(chunk.modules));
  await writeFile(join(compiled, FOLDER, 'LICENSES.txt'), await thirdPartyLicenses(modules));
}

async function bundle(): Promise<OutputChunk[]> {
  const build = await rolldown({
    input: { [ENTRY]: join(sources, `${ENTRY}.ts`) },
    platform: 'node',
    external: /^node:(?!http$)/,
    plugins: [otherCommands, leanHttp],
    // Of no consequence here: whether a module that is loaded late lies in a file of its own.
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await build.generate({ format: 'esm', chunkFileNames: `${FOLDER}/[name].js` });
  await build.close();
  return output.filter((file) => file.type === 'chunk');
}

/** The other commands stay where they are. The program does not load them from here, see bundled-commands.ts. */
const otherCommands: Plugin = {
  name: 'other-commands',
  resolveId(id, importer) {
    if (importer !== join(sources, 'commands', 'all-commands.ts')) return undefined;
    const [, name] = /^\.\/(.+)\.ts$/.exec(id) ?? [];
    if (name === undefined || [...BUNDLED_COMMANDS.values()].includes(name)) return undefined;
    return { id: `../commands/${name}.js`, external: true };
  },
};

/** These are loaded when they are first read, which `import` does for all exports. */
const LATE_EXPORTS = ['WebSocket', 'CloseEvent', 'MessageEvent'];
const LEAN_HTTP = '\0lean-http';

/** `node:http` without what Node itself loads late: an import of it would load a whole WebSocket client, which takes 20 ms. */
const leanHttp: Plugin = {
  name: 'lean-http',
  resolveId: (id) => (id === 'node:http' ? LEAN_HTTP : undefined),
  load(id) {
    if (id !== LEAN_HTTP) return undefined;
    const names = Object.keys(http).filter((name) => !LATE_EXPORTS.includes(name));
    return `const http = process.getBuiltinModule('node:http');
export default http;
export const { ${names.join(', ')} } = http;`;
  },
};
