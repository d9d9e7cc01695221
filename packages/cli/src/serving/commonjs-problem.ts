import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';

const TIMEOUT_MILLISECONDS = 10_000;
/** What Node reports for an ES module that it loads as CommonJS. */
const ES_MODULE_ERROR =
  /Unexpected token 'export'|Cannot use import statement outside a module|Cannot use 'import\.meta' outside a module/;

/**
 * Why Node cannot load an ES module in a package of type CommonJS, and what to do. Undefined if the file is not one. Checked
 * before the file is imported: Node's error does not name package.json, and Node prints a warning as well.
 */
export async function commonJSProblem(file: string): Promise<string | undefined> {
  const extension = extname(file);
  if (extension !== '.js' && extension !== '.ts') return undefined;
  const manifest = findPackageJSON(pathToFileURL(file));
  if (manifest === undefined || !(await asksForCommonJS(manifest))) return undefined;
  const source = await readFile(file, 'utf8');
  // A quick look first: the check starts another process.
  if (!/\b(?:import|export)\b/.test(source)) return undefined;
  const type = extension === '.ts' ? 'commonjs-typescript' : 'commonjs';
  if (!ES_MODULE_ERROR.test(await checkSyntax(source, type))) return undefined;
  return (
    `it is an ES module, but is loaded as CommonJS because ${manifest} has "type": "commonjs". ` +
    `Run "npm pkg set type=module" there, or rename the file to end in ${extension.replace('.', '.m')}.`
  );
}

async function asksForCommonJS(manifest: string): Promise<boolean> {
  try {
    const parsed: unknown = JSON.parse(await readFile(manifest, 'utf8'));
    return typeof parsed === 'object' && parsed !== null && 'type' in parsed && parsed.type === 'commonjs';
  } catch {
    return false;
  }
}

/** What Node prints when it checks the source, which it does not run. */
function checkSyntax(source: string, type: string): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [`--input-type=${type}`, '--check', '-'],
      { timeout: TIMEOUT_MILLISECONDS },
      (_error, _output, errors) => resolve(errors),
    );
    // A process that ends early does not read its input; the callback above tells why.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(source);
  });
}
