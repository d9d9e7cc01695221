// `npm run test:interop`: official SDKs of other authors as clients and as servers of Holdword, over every binding and version.
//   --only NAME,…  peers or languages, such as python or javascript-03
//   --role NAME    client or server: what the foreign program is
//   --write        writes the results, and docs/reference/interoperability.md from them
//   --json         prints the results as JSON
import { parseArgs } from 'node:util';
import { ROLES, type Run } from './contract.ts';
import { findFault } from './known-faults.ts';
import { installPeer, missingTool } from './install.ts';
import { PEERS, type Peer, type Speaks } from './peers.ts';
import { saveResults, writePage } from './results.ts';
import { openLab, type Lab } from './try-client.ts';
import { tryServer } from './try-server.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    role: { type: 'string' },
    write: { type: 'boolean' },
    json: { type: 'boolean' },
  },
});
const wanted = values.only?.split(',');
const unknown = wanted?.find((name) => !PEERS.some(({ id, language }) => id === name || language === name));
if (unknown !== undefined) {
  throw new Error(`There is no peer ${unknown}. There are ${PEERS.map(({ id }) => id).join(', ')}.`);
}

/** Progress is for people: with --json it leaves stdout to the results. */
function say(text: string): void {
  if (values.json === true) console.error(text);
  else console.log(text);
}

function* combinations(speaks: Speaks = {}): Iterable<Pick<Run, 'version' | 'binding'>> {
  for (const version of ['1.0', '0.3'] as const) {
    for (const binding of speaks[version] ?? []) yield { version, binding };
  }
}

/** Says what happened in a run, and returns how many cases failed that nobody has explained. */
function report(peer: Peer, run: Run): number {
  const { role, version, binding, lines } = run;
  const tried = lines.filter(({ skipped }) => skipped !== true);
  const passed = tried.filter(({ ok }) => ok).length;
  say(`  ${role} ${version} ${binding}: ${passed} of ${tried.length}`);
  let unexplained = 0;
  for (const line of lines) {
    const fault = findFault(peer.id, run, line.case);
    if (!line.ok && line.skipped !== true) {
      say(`    ${fault === undefined ? 'FAILED' : 'known fault'}: ${line.case}: ${line.detail}`);
      if (fault === undefined) unexplained += 1;
    } else if (line.ok && fault !== undefined) {
      say(`    MENDED: ${line.case} works now; remove it from known-faults.ts`);
      unexplained += 1;
    }
  }
  return unexplained;
}

async function tryPeer(peer: Peer, lab: Lab): Promise<readonly Run[] | undefined> {
  const missing = await missingTool(peer.language);
  if (missing !== undefined) {
    say(`${peer.id} skipped: ${missing} is not installed`);
    return undefined;
  }
  say(peer.id);
  const installed = await installPeer(peer, () => say('  installing, once'));
  const runs: Run[] = [];
  for (const role of ROLES.filter((each) => values.role === undefined || values.role === each)) {
    for (const { version, binding } of combinations(peer[role])) {
      const command = installed.command(role);
      const lines =
        role === 'client'
          ? await lab.try(peer, command, { version, binding })
          : await tryServer(command, version, binding);
      runs.push({ role, version, binding, lines });
    }
  }
  return runs;
}

let unexplained = 0;
const results: Record<string, readonly Run[]> = {};
const lab = await openLab();
try {
  for (const peer of PEERS.filter(
    ({ id, language }) => wanted === undefined || wanted.includes(id) || wanted.includes(language),
  )) {
    const runs = await tryPeer(peer, lab);
    if (runs === undefined) continue;
    results[peer.id] = runs;
    for (const run of runs) unexplained += report(peer, run);
    if (values.write === true) await saveResults(peer, runs);
  }
} finally {
  await lab.close();
}
if (values.write === true) await writePage();
if (values.json === true) console.log(JSON.stringify(results, undefined, 2));
say(unexplained === 0 ? 'Every failure is explained.' : `${unexplained} results are not explained.`);
process.exitCode = unexplained === 0 ? 0 : 1;
