import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import {
  BINDINGS,
  CASES,
  ROLES,
  VERSIONS,
  type Binding,
  type CaseName,
  type Role,
  type Run,
  type Version,
} from './contract.ts';
import { KNOWN_FAULTS } from './known-faults.ts';
import { PEERS, versionOf, type Peer } from './peers.ts';

/*
 * The results of each peer are kept in a file, so that a run of some peers leaves the others as they were, and the page is made
 * from the files. They have no times, ids or texts of errors: the same outcome is the same file.
 */

const FOLDER = join(import.meta.dirname, 'results');
export const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'reference', 'interoperability.md');

interface SavedRun {
  readonly role: Role;
  readonly version: Version;
  readonly binding: Binding;
  readonly passed: readonly CaseName[];
  readonly failed: readonly CaseName[];
  /** What the SDK does not have, for a whole case or a part of it. */
  readonly missing: Partial<Record<CaseName, string>>;
}

interface SavedResults {
  readonly version: string;
  readonly runs: readonly SavedRun[];
}

const BINDING_NAMES: Readonly<Record<Binding, string>> = {
  JSONRPC: 'JSON-RPC',
  'HTTP+JSON': 'REST',
  GRPC: 'gRPC',
};

/** Saves what a peer did. Runs of a role that was not tried stay as they were. */
export async function saveResults(peer: Peer, runs: readonly Run[]): Promise<void> {
  const earlier = await readResults(peer);
  const tried = new Set(runs.map(({ role }) => role));
  const kept = (earlier?.runs ?? []).filter(({ role }) => !tried.has(role));
  const saved: SavedResults = {
    version: await versionOf(peer),
    runs: [...runs.map(saveRun), ...kept].toSorted((left, right) => left.role.localeCompare(right.role)),
  };
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, `${peer.id}.json`), `${JSON.stringify(saved, undefined, 2)}\n`);
}

function saveRun({ role, version, binding, lines }: Run): SavedRun {
  const namesOf = (isWanted: (line: Run['lines'][number]) => boolean): CaseName[] =>
    lines.filter(isWanted).map((line) => line.case);
  return {
    role,
    version,
    binding,
    passed: namesOf(({ ok }) => ok),
    failed: namesOf(({ ok, skipped }) => !ok && skipped !== true),
    missing: Object.fromEntries(
      lines
        .filter(({ ok, skipped, detail }) => (ok && detail !== '') || skipped === true)
        .map((line) => [line.case, line.detail]),
    ),
  };
}

async function readResults({ id }: Peer): Promise<SavedResults | undefined> {
  const name = `${id}.json`;
  const names: readonly string[] = await readdir(FOLDER).catch(() => []);
  if (!names.includes(name)) return undefined;
  return JSON.parse(await readFile(join(FOLDER, name), 'utf8')) as SavedResults;
}

export async function writePage(): Promise<void> {
  await writeFile(PAGE, await renderPage());
}

/** The page of the reference. */
export async function renderPage(): Promise<string> {
  const all: (SavedResults & { peer: Peer })[] = [];
  for (const peer of PEERS) {
    const results = await readResults(peer);
    if (results !== undefined) all.push({ ...results, peer });
  }
  const sections = ROLES.map((role) => {
    const rows = all
      .filter(({ runs }) => runs.some((run) => run.role === role))
      .map(({ peer, version, runs }) => [
        `${peer.title} ${version}`,
        ...VERSIONS.flatMap((protocol) =>
          BINDINGS.map((binding) =>
            cellOf(
              runs.find((run) => run.role === role && run.version === protocol && run.binding === binding),
            ),
          ),
        ),
      ]);
    return table(
      ['SDK', ...VERSIONS.flatMap((each) => BINDINGS.map((binding) => `${each} ${BINDING_NAMES[binding]}`))],
      rows,
    );
  });
  const page = `${INTRODUCTION}
## Their clients, and a Holdword server

${sections[0]}

## Their servers, and the client of Holdword

The client of Holdword has no operations for push notification configurations and extended cards.

${sections[1]}

## What does not work, and why

${faultList(all)}

## What the SDKs do not have

${missingList(all)}

## What is not tried

- The server of Java for gRPC: \`a2a-java-sdk-reference-grpc\` 0.3.3.Final is not in the registry. The lab starts the service of the SDK,
  \`a2a-java-sdk-transport-grpc\`, in its place. Over JSON-RPC and REST it is the reference server of the SDK, an application of Quarkus.
- Java for A2A 1.0: the registry has alpha versions of \`io.github.a2asdk\` up to 1.0.0.Alpha3, with clients and with handlers of requests,
  but without the three reference servers. Later versions are published as \`org.a2aproject.sdk\`, a group that the registry did not have
  when the lab ran. The clients of the alpha versions are not tried.
- Rust for A2A 0.3: the SDK speaks A2A 1.0 alone.

## What is tried

${table(
  ['Case', 'What it does'],
  Object.entries(CASES).map(([name, words]) => [`\`${name}\``, words]),
)}
`;
  return format(page, { ...(await resolveConfig(PAGE)), filepath: PAGE });
}

const INTRODUCTION = `# Interoperability

Official SDKs of A2A in other languages and versions, tried with Holdword in both directions, over every binding and version that
they have. \`npm run test:interop -- --write\` runs them and writes this page. Clients find the agent by default discovery: they are
given the base URL of \`holdword serve\`, and nothing else.

A cell has the number of cases that work, of those that the SDK has operations for. What does not work is explained below.

`;

function cellOf(run: SavedRun | undefined): string {
  if (run === undefined) return '—';
  return `${run.passed.length} of ${run.passed.length + run.failed.length}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

type Results = SavedResults & { readonly peer: Peer };

function faultList(all: readonly Results[]): string {
  const lines = all.flatMap(({ peer, version }) =>
    KNOWN_FAULTS.filter((fault) => fault.peer === peer.id).map((fault) => {
      const where = [fault.version, fault.bindings?.map((each) => BINDING_NAMES[each]).join(' and ')]
        .filter((each) => each !== undefined)
        .join(' over ');
      const cases = fault.cases.map((name) => `\`${name}\``).join(', ');
      return `- **${peer.title} ${version}, ${fault.role}${where === '' ? '' : `, ${where}`}** (${cases}): ${fault.words}`;
    }),
  );
  const refusing = all
    .filter(({ peer }) => peer.refusesGrpc === true)
    .map(
      ({ peer, version }) =>
        `- **${peer.title} ${version}, client**: refuses a card with an interface on another port than the card, such as gRPC. It is tried on \`holdword serve --grpc-port off\`.`,
    );
  return [...lines, ...refusing].join('\n');
}

function missingList(all: readonly Results[]): string {
  const byReason = new Map<string, Set<string>>();
  for (const { peer, version, runs } of all) {
    for (const { missing } of runs) {
      for (const [name, reason] of Object.entries(missing)) {
        const key = `\`${name}\`: ${reason}`;
        byReason.set(key, (byReason.get(key) ?? new Set()).add(`${peer.title} ${version}`));
      }
    }
  }
  return [...byReason].map(([reason, peers]) => `- ${reason} (${[...peers].join(', ')})`).join('\n');
}
