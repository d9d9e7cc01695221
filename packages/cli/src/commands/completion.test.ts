import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';

const run = promisify(execFile);

test('bash completes commands, and options also after an operand', async () => {
  const folder = await makeHoldwordFolder();
  const { output: script } = await folder.run('completion', 'bash');
  const complete = async (...words: string[]): Promise<string[]> => {
    const typed = words.map((word) => `'${word}'`).join(' ');
    const ask = `COMP_WORDS=(holdword ${typed}); COMP_CWORD=${words.length}; _holdword; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await run('bash', ['--norc', '-c', `${script}\n${ask}`]);
    return stdout.trim().split('\n');
  };
  expect(await complete('ta')).toEqual(['task', 'tasks']);
  expect(await complete('task', 'push-config', '')).toEqual(['create', 'list', 'get', 'delete', 'listen']);
  expect(await complete('task', 'get', 'some-id', '--wa')).toEqual(['--wait']);
  expect(await complete('send', '--str')).toEqual(['--stream']);
  expect(await complete('serve', '--no-cons')).toEqual(['--no-console']);
  expect(await complete('hub', 'ag')).toEqual(['agents']);
  expect(await complete('hub', '--por')).toEqual(['--port']);
});

test('other shells get a script too, and unknown ones an error', async () => {
  const folder = await makeHoldwordFolder();
  expect((await folder.run('completion', 'zsh')).output).toContain('bashcompinit');
  expect((await folder.run('completion', 'fish')).output).toContain(
    `complete -c holdword -n '__holdword_within "version"' -l help`,
  );
  expect(await folder.run('completion', 'tcsh')).toMatchObject({
    code: 2,
    errors: 'holdword: Unknown shell "tcsh": use bash, zsh, fish, powershell.\n',
  });
});
