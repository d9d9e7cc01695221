import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/api/entries.ts';
import { readApi, type Api, type ApiSymbol } from '../../scripts/api/read-api.ts';

interface Example {
  /** `runtime-serveRuntime-1` */
  name: string;
  code: string;
}

test('every example in the comments of the public API compiles', { timeout: 120_000 }, async () => {
  const api = await readApi();
  const examples = api.entries.flatMap(({ symbols }) => symbols.flatMap((symbol) => examplesOf(api, symbol)));
  expect(examples.length).toBeGreaterThan(0);
  expect(await compile(examples)).toBe('');
});

function examplesOf(api: Api, symbol: ApiSymbol): Example[] {
  const comments = [symbol.comment, ...symbol.members.map(({ comment }) => comment)];
  return comments
    .flatMap(({ examples }) => examples)
    .map((example, index) => {
      const code = /```(?:ts|js)\n(.*?)```/s.exec(example)?.[1] ?? example;
      return { name: `${symbol.page}-${symbol.name}-${index + 1}`, code: withImports(api, symbol, code) };
    });
}

/** An example may leave out the imports that go without saying: those of public names. */
function withImports(api: Api, { page }: ApiSymbol, code: string): string {
  const own = api.entries.filter((entry) => entry.page === page);
  const imports = new Map<string, string>();
  for (const { specifier, symbols, reexported } of [...own, ...api.entries]) {
    for (const { name } of [...symbols, ...reexported]) {
      if (!imports.has(name) && isUsed(name, code)) imports.set(name, specifier);
    }
  }
  const lines = [...imports].map(([name, specifier]) => `import { ${name} } from '${specifier}';`);
  return [...lines, code, 'export {};', ''].join('\n');
}

/** Used, and neither imported nor declared by the example. */
function isUsed(name: string, code: string): boolean {
  if (new RegExp(`\\b(?:const|let|class|function|interface|type) ${name}\\b`).test(code)) return false;
  if (new RegExp(`import [^;]*\\b${name}\\b[^;]*from`).test(code)) return false;
  return new RegExp(`(?<![.\\w'"\`-])${name}\\b(?!['"\`-]|\\s*:)`).test(
    code.replaceAll(/\/\/.*|'[^'\n]*'/g, ''),
  );
}

async function compile(examples: readonly Example[]): Promise<string> {
  await mkdir(join(ROOT, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(ROOT, '.cache', 'examples-'));
  try {
    for (const { name, code } of examples) await writeFile(join(folder, `${name}.ts`), code);
    const settings = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: {
        noUnusedLocals: false,
        noUnusedParameters: false,
        verbatimModuleSyntax: false,
        typeRoots: [join(ROOT, 'node_modules', '@types')],
      },
      include: [join(folder, '*.ts')],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', folder], {
      cwd: folder,
    }).catch((error: unknown) => error as { stdout: string });
    return stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}
