import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * Runs npm in a folder, the same npm that runs this script if there is one. Resolves once it has ended, with everything it
 * printed and, if it failed, its exit code or what kept it from starting.
 */
export function spawnNpm(folder, npmArguments, onLine) {
  const options = { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] };
  const npm = process.env['npm_execpath'];
  const child = npm?.endsWith('.js')
    ? spawn(process.execPath, [npm, ...npmArguments], options)
    : spawn('npm', npmArguments, { ...options, shell: process.platform === 'win32' });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      output.push(line);
      onLine(line);
    });
  }
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ failure: error.message, output }));
    child.on('close', (code, signal) =>
      resolve({ failure: code === 0 ? undefined : `code ${code ?? signal}`, output }),
    );
  });
}
