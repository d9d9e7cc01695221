import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { collectingLog } from '../../engine/testing/start-test-engine.ts';
import type { OwnedProcess } from './owned-process.ts';
import { identityOf } from './running-processes.ts';
import { ProcessRecords } from './process-records.ts';
import { ProcessTable } from './process-table.ts';
import { FAKE_CLI } from './testing/fake-cli.ts';
import { livingProcesses, recordedMarks } from './testing/living-processes.ts';

const CRASHING_SERVER = fileURLToPath(new URL('./testing/crashing-server.ts', import.meta.url));
const GRACE = 100;

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-processes-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function openTable(
  folder: string,
): Promise<{ table: ProcessTable; logged: string[]; run: (...words: string[]) => Promise<OwnedProcess> }> {
  const logged: string[] = [];
  const table = await ProcessTable.open({ folder, log: collectingLog(logged) });
  onTestFinished(() => table.close());
  const environment = { PATH: process.env['PATH'] ?? '' };
  const run = (...words: string[]): Promise<OwnedProcess> =>
    table.spawn({ file: '/bin/sh', arguments: [FAKE_CLI, ...words], environment, workingDirectory: folder });
  return { table, logged, run };
}

async function firstLine(owned: OwnedProcess): Promise<string> {
  const lines = createInterface({ input: owned.standardOutput });
  const { value } = await lines[Symbol.asyncIterator]().next();
  return value as string;
}

describe('a table of processes', () => {
  test('runs a program in its folder, with only its environment', async () => {
    const { run } = await openTable(await temporaryFolder());
    const said = await run('variable', 'HOME');
    expect(await text(said.standardOutput)).toBe('unset\n');
    expect(await said.ended).toEqual({ exitCode: 0, signal: null });
    const piped = await run();
    piped.standardInput.end('say through the pipe');
    expect(await text(piped.standardOutput)).toBe('through the pipe\n');
  });

  test('stops a program with SIGTERM', async () => {
    const { run } = await openTable(await temporaryFolder());
    const hanging = await run('hang');
    await hanging.stop(60_000);
    expect(await hanging.ended).toEqual({ exitCode: null, signal: 'SIGTERM' });
  });

  test('kills a program that ignores SIGTERM, with everything it has started', async () => {
    const folder = await temporaryFolder();
    const { run } = await openTable(folder);
    const stubborn = await run('stubborn');
    expect(await firstLine(stubborn)).toBe('ready');
    const marks = await recordedMarks(folder);
    await expect.poll(() => livingProcesses(marks)).toHaveLength(5);
    await stubborn.stop(GRACE);
    expect(await stubborn.ended).toEqual({ exitCode: null, signal: 'SIGKILL' });
    await expect.poll(() => livingProcesses(marks)).toEqual([]);
    await expect.poll(() => recordedMarks(folder)).toEqual([]);
  });

  test('ends processes that a program leaves running when it exits', async () => {
    const folder = await temporaryFolder();
    const { run } = await openTable(folder);
    const leaving = await run('leave');
    // Read from the start: unread output is lost when the program exits.
    const output = text(leaving.standardOutput);
    const marks = await recordedMarks(folder);
    expect(marks).toHaveLength(1);
    expect(await output).toBe('left\n');
    expect(await leaving.ended).toEqual({ exitCode: 0, signal: null });
    await expect.poll(() => livingProcesses(marks)).toEqual([]);
    await expect.poll(() => recordedMarks(folder)).toEqual([]);
  });

  test('ends everything when it is closed, and starts nothing after that', async () => {
    const folder = await temporaryFolder();
    const { table, run } = await openTable(folder);
    const stubborn = await run('stubborn');
    await firstLine(stubborn);
    const marks = await recordedMarks(folder);
    await table.close();
    expect(await livingProcesses(marks)).toEqual([]);
    expect(await recordedMarks(folder)).toEqual([]);
    await expect(run('hang')).rejects.toThrow('the server is stopping');
  });

  test.each([
    ['a program that does not exist', './no-such-program', /"no-such-program" was not found/],
    ['a file that is not a program', './plain.txt', /"plain\.txt" is not executable/],
  ])('reports %s by its name', async (_, file, message) => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'plain.txt'), 'not a program');
    const { table } = await openTable(join(folder, 'records'));
    const command = { file, arguments: [], environment: {}, workingDirectory: folder };
    await expect(table.spawn(command)).rejects.toThrow(message);
    expect(await readdir(join(folder, 'records'))).toEqual([]);
  });

  test('reports a missing working directory, and arguments that cannot be passed', async () => {
    const folder = await temporaryFolder();
    const { table } = await openTable(folder);
    const command = { file: '/bin/sh', arguments: [], environment: {}, workingDirectory: folder };
    const elsewhere = { ...command, workingDirectory: join(folder, 'nowhere') };
    await expect(table.spawn(elsewhere)).rejects.toThrow('working directory of the agent does not exist');
    const long = { ...command, arguments: ['x'.repeat(4_000_000)] };
    await expect(table.spawn(long)).rejects.toThrow('too long for the command line of "sh"');
    const broken = { ...command, arguments: ['a\0b'] };
    await expect(table.spawn(broken)).rejects.toThrow('NUL character');
  });
});

/** Kills a server while three processes are running; returns their marks. */
async function crash(folder: string, ...words: string[]): Promise<string[]> {
  const commandLine = [CRASHING_SERVER, folder, '3', '/bin/sh', FAKE_CLI, ...words];
  const server = spawn(process.execPath, commandLine, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(server, 'exit');
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('ready');
  const marks = await recordedMarks(folder);
  expect(marks).toHaveLength(3);
  server.kill('SIGKILL');
  await exited;
  return marks;
}

async function rewriteRecord(folder: string, mark: string, changes: object): Promise<void> {
  const file = join(folder, `${mark}.json`);
  const content: unknown = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...(content as object), ...changes }));
}

describe('the table of a server that starts after a crash', () => {
  test('ends processes that the dead server left running', async () => {
    const folder = await temporaryFolder();
    const marks = await crash(folder, 'stubborn');
    await expect.poll(() => livingProcesses(marks)).toHaveLength(15);
    const { logged } = await openTable(folder);
    expect(await livingProcesses(marks)).toEqual([]);
    expect(await recordedMarks(folder)).toEqual([]);
    expect(logged).toEqual([expect.stringContaining('{"count":3}')]);
  });

  test('does not touch processes of a running server', async () => {
    const folder = await temporaryFolder();
    const { run } = await openTable(folder);
    const hanging = await run('hang');
    await openTable(folder);
    expect(identityOf(hanging.pid)).toBeDefined();
    expect(await recordedMarks(folder)).toHaveLength(1);
  });

  test('does not touch another process with a recorded pid', async () => {
    const folder = await temporaryFolder();
    const other = spawn('/bin/sh', [FAKE_CLI, 'hang'], { detached: true, stdio: 'ignore' });
    const ended = once(other, 'exit');
    onTestFinished(async () => {
      other.kill('SIGKILL');
      await ended;
    });
    await once(other, 'spawn');
    const records = new ProcessRecords(folder);
    records.write('aa', { pid: other.pid ?? 0, startTime: 'earlier' });
    await rewriteRecord(folder, 'aa', { server: { pid: other.pid, startTime: 'earlier' } });
    await openTable(folder);
    expect(identityOf(other.pid ?? 0)).toBeDefined();
    expect(await recordedMarks(folder)).toEqual([]);
  });

  test('removes records from before the last boot', async () => {
    const folder = await temporaryFolder();
    new ProcessRecords(folder).write('aa', identityOf(process.pid));
    await rewriteRecord(folder, 'aa', { boot: 'an earlier one' });
    const { logged } = await openTable(folder);
    expect(await recordedMarks(folder)).toEqual([]);
    expect(logged).toEqual([]);
  });
});
