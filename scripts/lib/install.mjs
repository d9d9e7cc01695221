import { runNpm } from './run-npm.mjs';

/** Installs the dependencies of a folder, says so, and ends this process where that is not possible. */
export function install({ folder, what, npmArguments }) {
  const began = Date.now();
  process.stderr.write(`Installing ${what}, once...\n`);
  // `install` and not `ci`: ci empties node_modules first, under the feet of a server that runs from it.
  const result = runNpm(folder, [
    'install',
    '--no-save',
    '--no-audit',
    '--no-fund',
    // Hides the engine warnings of tools that run on the pinned Node, not on the machine's.
    '--loglevel=error',
    ...npmArguments,
  ]);
  if (result.status !== 0) {
    process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`);
    process.stderr.write(
      `\nInstalling ${what} failed: npm ended with ${result.status ?? result.error?.message}.\n` +
        'See its message above. If the registry could not be reached, check the network and try again.\n',
    );
    process.exit(1);
  }
  process.stderr.write(`Installed in ${((Date.now() - began) / 1000).toFixed(1)} s.\n`);
}
