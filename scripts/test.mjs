// `npm test`: sets itself up, then runs every check and every test. `npm run test:quick` runs types, lint and unit tests only.
// Arguments after `--` reach Vitest.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { findNode } from './lib/find-node.mjs';
import { runChild } from './lib/run-child.mjs';
import { toolPath } from './lib/tool-path.mjs';
import { workspaceFolder } from './lib/workspace.mjs';

const began = Date.now();
await ensureInstalled({ developmentTools: true });
const node = findNode();
const reportFolder = mkdtempSync(join(tmpdir(), 'holdword-test-'));
const reportFile = join(reportFolder, 'report.json');

const given = process.argv.slice(2);
const isQuick = given[0] === '--quick';
const vitestArguments = isQuick ? ['--project', 'unit', ...given.slice(1)] : given;

const steps = [
  { name: 'types', tool: 'tsc', toolArguments: ['--noEmit'] },
  { name: 'types of the page', tool: 'tsc', toolArguments: ['--noEmit', '-p', 'packages/console/src/app'] },
  { name: 'lint', tool: 'oxlint', toolArguments: ['--type-aware', '--deny-warnings'] },
  ...(isQuick
    ? []
    : [{ name: 'format', tool: 'prettier', toolArguments: ['--check', '--log-level=warn', '.'] }]),
  {
    name: 'tests',
    tool: 'vitest',
    toolArguments: [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportFile}`,
      ...vitestArguments,
    ],
  },
];

const outcomes = [];
for (const step of steps) {
  process.stdout.write(`\n== ${step.name}\n`);
  const code = await runChild(node, [toolPath(step.tool), ...step.toolArguments], { cwd: workspaceFolder });
  outcomes.push({ name: step.name, passed: code === 0 });
  // Ended by a signal, most likely Ctrl-C: the rest is not wanted either.
  if (code > 128) break;
}

const counts = readCounts();
const failed = outcomes.filter((outcome) => !outcome.passed);
process.stdout.write(
  `\n${outcomes.map(({ name, passed }) => `${name} ${passed ? 'ok' : 'FAILED'}`).join(', ')} ` +
    `in ${((Date.now() - began) / 1000).toFixed(0)} s\n` +
    `Tests: ${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;

function readCounts() {
  try {
    const report = JSON.parse(readFileSync(reportFile, 'utf8'));
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests,
    };
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  } finally {
    rmSync(reportFolder, { recursive: true, force: true });
  }
}
