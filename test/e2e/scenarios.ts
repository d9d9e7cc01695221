import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  BINDINGS,
  CLIENTS,
  VERSIONS,
  type Binding,
  type ClientKind,
  type Driver,
  type Version,
  type Wire,
} from '../support/drivers/driver.ts';
import type { DriverChoice } from '../support/drivers/open-driver.ts';
import { startAgent, type AgentOptions } from '../support/start-agent.ts';
import type { TestAgent } from '../support/test-agent.ts';
import { watchForLeaks } from '../support/watch-for-leaks.ts';
import type { RequirementId, Surface } from './requirements.ts';

/** Which clients a scenario runs with. Omitted fields mean all. */
export interface Selection {
  bindings?: readonly Binding[];
  versions?: readonly Version[];
  clients?: readonly ClientKind[];
  except?: readonly Wire[];
}

export interface ScenarioHead {
  /** The sentence of the test's name. */
  it: string;
  covers: readonly RequirementId[];
}

type Scenario = (
  head: ScenarioHead & { on?: Selection },
  run: (tools: { driver: Driver; agent: TestAgent }) => Promise<void>,
) => void;

/** A scenario that needs no driver, with the surfaces that it covers. */
type Check = (
  head: ScenarioHead & { surfaces: readonly Surface[] },
  run: (agent: TestAgent) => Promise<void>,
) => void;

export interface Citation {
  title: string;
  covers: readonly string[];
  surfaces: readonly Surface[];
}

let collected: Citation[] | undefined;

/** Runs `load` so that `scenarios` only records what it would test, and returns the record. For the gate. */
export async function collectCitations(load: () => Promise<void>): Promise<readonly Citation[]> {
  const citations: Citation[] = [];
  collected = citations;
  try {
    await load();
  } finally {
    collected = undefined;
  }
  return citations;
}

/** A group of scenarios on one agent, each a test for every client it selects. */
export function scenarios(
  title: string,
  options: AgentOptions,
  define: (tools: { scenario: Scenario; check: Check }) => void,
): void {
  if (collected !== undefined) {
    define(collectInto(collected));
    return;
  }
  describe(title, () => {
    watchForLeaks();
    let agent: TestAgent;
    beforeAll(async () => {
      agent = await startAgent(options);
    });
    afterAll(() => agent.close());
    define({
      scenario: (head, run) => {
        for (const choice of choicesOf(head.on)) {
          test(`${head.it} [${choice.binding} ${choice.version}, ${choice.client}]`, async () => {
            await run({ driver: await agent.driver(choice), agent });
          });
        }
      },
      check: (head, run) => {
        test(head.it, () => run(agent));
      },
    });
  });
}

function collectInto(citations: Citation[]): { scenario: Scenario; check: Check } {
  return {
    scenario: ({ it, covers, on }) => {
      const surfaces = choicesOf(on).map(({ binding, version }): Surface => `${binding} ${version}`);
      citations.push({ title: it, covers, surfaces });
    },
    check: ({ it, covers, surfaces }) => {
      citations.push({ title: it, covers, surfaces });
    },
  };
}

function choicesOf(selection: Selection = {}): DriverChoice[] {
  const { versions = VERSIONS, bindings = BINDINGS, clients = CLIENTS, except = [] } = selection;
  return versions
    .flatMap((version) =>
      bindings.flatMap((binding) => clients.map((client) => ({ binding, version, client }))),
    )
    .filter(({ binding, version }) => !except.includes(`${binding} ${version}`));
}
