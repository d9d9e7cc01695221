import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  makeHoldwordFolder,
  type HoldwordFolder,
} from '../../../packages/cli/src/testing/holdword-folder.ts';
import { urlOf } from '../../../packages/cli/src/testing/talk.ts';
import { freePort } from '../../support/free-port.ts';
import {
  HAS_TERMINALS,
  startInTerminal,
  type TerminalOptions,
} from '../../support/terminal/start-in-terminal.ts';

/** Each command is a process, which takes its time where many of them start. */
const SLOW = { timeout: 180_000 };

interface Place {
  readonly folder: HoldwordFolder;
  readonly agent: string;
  readonly open: (
    words: readonly string[],
    options?: Partial<TerminalOptions>,
  ) => ReturnType<typeof startInTerminal>;
}

async function startDemo(...words: string[]): Promise<Place> {
  const folder = await makeHoldwordFolder();
  const server = folder.start('demo-server', '--port', '0', ...words);
  const [, agent = ''] = await server.printed(/card +(http:\S+)\/\.well-known/);
  return {
    folder,
    agent,
    open: (command, options) => startInTerminal([...command, '-a', agent], { cwd: folder.path, ...options }),
  };
}

/** Ids differ from run to run. */
function hidden(text: string): string {
  return text.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'ID').replaceAll('\r', '');
}

describe.skipIf(!HAS_TERMINALS)('in a terminal', () => {
  test(
    'a chat carries its conversation, shows Markdown, tables and files, and says how to come back',
    SLOW,
    async () => {
      const { folder, agent, open } = await startDemo();
      const chat = open(['chat']);
      await chat.shows(/Holdword demo server/);
      await chat.shows(/^>$/m);
      chat.type('report\r');
      await chat.shows(/completed after/);
      expect(chat.text()).toContain('▸ report.md\nReport\n');
      expect(chat.text()).toMatch(/Planet {2}Moons\n─+ {2}─+\nEarth +1\nMars +2/);
      expect(chat.text()).toContain('• first\n• second');
      expect(chat.text()).toContain('link (https://holdword.example/)');
      expect(chat.raw()).toContain('\u001b[1m');
      chat.type('parts\r');
      await chat.shows(/hello\.txt {2}text\/plain, 6 B/);
      chat.type('/nonsense\r');
      await chat.shows(/There is no command \/nonsense/);
      chat.press('ctrl-d');
      const [, contextId = ''] = await chat.shows(/Resume: holdword send -a \S+ --context-id (\S+)/);
      expect(await chat.ended).toBe(0);
      const { stdout } = await folder.run(
        'task',
        'list',
        '-a',
        agent,
        '-o',
        'json',
        '--context-id',
        contextId,
      );
      expect((JSON.parse(stdout) as { totalSize: number }).totalSize).toBe(2);
    },
  );

  test('questions are asked in place: choices, fields, secrets and logins', SLOW, async () => {
    const { open } = await startDemo();
    const chat = open(['chat']);
    await chat.shows(/^>$/m);
    chat.type('choose\r');
    await chat.shows(/1-3>/);
    expect(chat.text()).toMatch(/Which colour\?\n {2}1 red\n {2}2 green\n {2}3 Blue, like the sky/);
    chat.type('9\r');
    await chat.shows(/Choose a number from 1 to 3/);
    chat.type('3\r');
    await chat.shows(/You said blue\./);
    chat.type('form\r');
    await chat.shows(/City:$/m);
    chat.type('Rome\r');
    await chat.shows(/Copies:$/m);
    chat.type('many\r');
    await chat.shows(/Expected a whole number/);
    chat.type('2\r');
    await chat.shows(/Express \(y\/n; optional\):$/m);
    chat.type('\r');
    await chat.shows(/You said \{"city":"Rome","copies":2\}\./);
    chat.type('password\r');
    await chat.shows(/Password \(not shown\):/);
    chat.type('hunter2\r');
    await chat.shows(/You said \{"password":"a password of 7 characters"\}\./);
    expect(chat.raw()).not.toContain('hunter2');
    chat.type('link\r');
    await chat.shows(/https:\/\/login\.holdword\.example\/confirm\?code=1234/);
    chat.press('enter');
    await chat.shows(/Thank you\./);
    chat.type('ask me\r');
    await chat.shows(/What is your name\?\n>$/m);
    chat.press('ctrl-c');
    await chat.shows(/reply>$/m);
    chat.type('Ada\r');
    await chat.shows(/Hello, Ada!/);
    chat.press('ctrl-d');
    expect(await chat.ended).toBe(0);
  });

  test('Ctrl-C offers to cancel the task or to detach from it', SLOW, async () => {
    const { folder, agent, open } = await startDemo();
    const chat = open(['chat']);
    await chat.shows(/^>$/m);
    chat.type('wait 600\r');
    await chat.shows(/Waiting 600 s\./);
    chat.press('ctrl-c');
    await chat.shows(/\(c\/d\/g\)$/m);
    chat.type('g\r');
    await chat.shows(/working · \d+s/);
    chat.press('ctrl-c');
    await chat.shows(/\(c\/d\/g\) \w*\n[^]*\(c\/d\/g\)$/m);
    chat.type('c\r');
    await chat.shows(/canceled after/);
    chat.type('wait 600\r');
    await chat.shows(/canceled after[^]*Waiting 600 s\./);
    chat.press('ctrl-c');
    await chat.shows(/\(c\/d\/g\)$/m);
    chat.type('d\r');
    const [, taskId = ''] = await chat.shows(/Resume: holdword task subscribe (\S+) -a/);
    expect(await chat.ended).toBe(0);
    const { stdout } = await folder.run('task', 'get', taskId, '-a', agent, '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ status: { state: 'TASK_STATE_WORKING' } });
  });

  test('send -i asks in place; without it, a terminal gets the same lines as a pipe', SLOW, async () => {
    const { folder, agent, open } = await startDemo();
    const live = open(['send', '-i', 'ask me']);
    await live.shows(/What is your name\?/);
    live.type('Ada\r');
    await live.shows(/Hello, Ada!/);
    await live.shows(/Resume: holdword send -a/);
    expect(await live.ended).toBe(0);
    const plain = open(['send', 'echo hello']);
    expect(await plain.ended).toBe(0);
    const piped = await folder.run('send', 'echo hello', '-a', agent);
    expect(hidden(plain.raw())).toContain(hidden(piped.stdout));
  });

  test(
    'NO_COLOR and narrow terminals are respected, and agents cannot control the terminal',
    SLOW,
    async () => {
      const { open } = await startDemo();
      const chat = open(['chat'], { columns: 30, environment: { NO_COLOR: '1' } });
      await chat.shows(/^>$/m);
      chat.type('table\r');
      await chat.shows(/completed after/);
      chat.type('echo a\u200b\r');
      await chat.shows(/completed after[^]*completed after/);
      chat.press('ctrl-d');
      expect(await chat.ended).toBe(0);
      // oxlint-disable-next-line no-control-regex -- colours are such sequences
      expect(chat.raw()).not.toMatch(/\u001b\[[\d;]*m/);
      for (const line of chat.text().split('\n')) expect(line.length).toBeLessThanOrEqual(30);
    },
  );

  test('a server that is killed and started again leaves nothing out and repeats nothing', SLOW, async () => {
    const folder = await makeHoldwordFolder();
    await writeFile(join(folder.path, 'counter.ts'), COUNTER);
    const port = String(await freePort());
    const serve = () =>
      folder.start('serve', '--agent', './counter.ts', '--port', port, '--grpc-port', 'off');
    const first = serve();
    const agent = await urlOf(first);
    const chat = startInTerminal(['chat', '-a', agent], { cwd: folder.path });
    await chat.shows(/^>$/m);
    chat.type('count\r');
    await chat.shows(/number 10$/m);
    await first.kill();
    await chat.shows(/connection lost/);
    await urlOf(serve());
    await chat.shows(/completed after/);
    const numbers = [...chat.text().matchAll(/^number (\d+)$/gm)].map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    chat.press('ctrl-d');
    expect(await chat.ended).toBe(0);
  });
});

/** Counts to 60, and after a crash from where it was. */
const COUNTER = `
import { setTimeout } from 'node:timers/promises';
const count = async (turn, sink) => {
  const text = (turn.task.artifacts ?? []).flatMap(({ parts }) => parts).map(({ text = '' }) => text).join('');
  for (let number = text.split('\\n').length; number <= 60; number += 1) {
    const parts = 'number ' + number + '\\n';
    await sink.artifact({ artifactId: 'numbers', name: 'numbers', parts, append: number > 1 });
    await sink.flush();
    await setTimeout(100, undefined, { signal: turn.signal });
  }
  await sink.complete();
};
export default { card: { name: 'Counter', description: 'Counts.' }, execute: count, resume: count };
`;
