import { spawnNpm } from './run-npm.mjs';

/** How often a terminal sees the count move, and a log file a line. */
const TERMINAL_MILLISECONDS = 250;
const LOG_MILLISECONDS = 10_000;
/** What npm writes at log level `http` for each package that it has downloaded or taken from its cache. */
const PACKAGE_LINE = /^npm http .*\.tgz /;
/** The other lines at that level, and the engine warnings of tools that run on the pinned Node, not on the machine's. */
const NOISE = /^npm (http|warn) /;

/** Installs the dependencies of a folder, shows its progress, and ends this process if that fails. */
export async function install({ folder, what, npmArguments }) {
  const progress = showProgress(`Installing ${what}`);
  // `install` and not `ci`: ci empties node_modules first, under the feet of a server that runs from it.
  const result = await spawnNpm(
    folder,
    ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=http', ...npmArguments],
    (line) => {
      if (PACKAGE_LINE.test(line)) progress.count();
    },
  );
  progress.end();
  if (result.failure !== undefined) {
    const lines = result.output.filter((line) => !NOISE.test(line));
    process.stderr.write(
      `${lines.join('\n')}\n\nInstalling ${what} failed: npm exited with ${result.failure}.\n` +
        'See its output above. If the registry was not reachable, check the network and try again.\n',
    );
    process.exit(1);
  }
  process.stderr.write(`Installed ${what} in ${progress.seconds()} s.\n`);
}

/** On a terminal one line that is written over; elsewhere a line at the start and one every ten seconds. */
function showProgress(title) {
  const began = Date.now();
  const { stderr } = process;
  let packages = 0;
  const seconds = () => ((Date.now() - began) / 1000).toFixed(0);
  const text = () => `${title}: ${packages} packages, ${seconds()} s`;
  const write = () => stderr.write(stderr.isTTY ? `\r${text()}` : `${text()}\n`);
  stderr.write(`${title} (first run only)${stderr.isTTY ? '' : '\n'}`);
  const timer = setInterval(write, stderr.isTTY ? TERMINAL_MILLISECONDS : LOG_MILLISECONDS);
  return {
    seconds,
    count: () => (packages += 1),
    end() {
      clearInterval(timer);
      if (stderr.isTTY) stderr.write('\r\u001b[K');
    },
  };
}
