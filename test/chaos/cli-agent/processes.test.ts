import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { SCALE } from '../scale.ts';
import { RestartingServer } from '../server/restarting-server.ts';
import { printSummary } from '../summary.ts';
import { StubbornTurns } from './stubborn-turns.ts';

watchForLeaks();

const PATIENT = agentModule('patient-agent');
const IMPATIENT = agentModule('impatient-agent');
const TURNS = 100;

const folder = await temporaryFolder();
const server = new RestartingServer({ dataFolder: folder.path, agent: PATIENT, graceSeconds: 0 });

afterEach(() => server.remove());
afterAll(async () => {
  // The next server on the folder ends what a failed test has left running.
  await server.start();
  await server.stop();
  await folder.remove();
});

function agentModule(name: string): string {
  return fileURLToPath(new URL(`./agents/${name}.ts`, import.meta.url));
}

test(`${TURNS} canceled turns leave no process`, async () => {
  await server.start();
  const turns = await StubbornTurns.begin(server, TURNS);
  await turns.cancelAll();
  await turns.allGone();
  await turns.allHave('TASK_STATE_CANCELED');
});

test(`${TURNS} timed out turns leave no process`, async () => {
  await server.start({ agent: IMPATIENT });
  const turns = await StubbornTurns.beginApart(server, TURNS);
  await turns.allHave('TASK_STATE_FAILED', /timed out after/);
  await turns.allGone();
});

test(`${TURNS} turns of a stopped server leave no process`, async () => {
  await server.start();
  const turns = await StubbornTurns.begin(server, TURNS);
  await server.stop();
  expect(await turns.living()).toBe(0);
  await server.start();
  await turns.allHave('TASK_STATE_FAILED', /^Interrupted/);
});

test(`${TURNS} turns of a killed server leave no process once the next one runs`, async () => {
  for (let kill = 1; kill <= SCALE.stubbornKills; kill += 1) {
    await server.start();
    const turns = await StubbornTurns.begin(server, TURNS);
    await server.kill();
    const survivors = await turns.living();
    expect(survivors).toBeGreaterThan(TURNS);
    await server.start();
    expect(await turns.living()).toBe(0);
    await turns.allGone();
    await turns.allHave('TASK_STATE_FAILED', /^Interrupted: the server stopped, or lost its store, while/);
    await server.stop();
    printSummary('Processes after a kill', {
      'survived the server': survivors,
      'left after the next one started': 0,
    });
  }
});
