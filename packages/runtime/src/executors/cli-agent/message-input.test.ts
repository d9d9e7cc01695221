import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Part } from '@holdword/protocol';
import { expect, test } from 'vitest';
import { sendForTask } from '../../operations/testing/start-test-operations.ts';
import type { CliProfile } from './profile.ts';
import { fakeProfile, startCliAgent } from './testing/start-cli-agent.ts';

test('the files of a message are on disk while the program is running', async () => {
  const profile = {
    ...fakeProfile(),
    command: ({ files, prompt }: Parameters<CliProfile['command']>[0]) => ({
      file: '/bin/sh',
      arguments: ['-c', 'cat "$1"; echo "$2"', 'sh', files[0]?.path ?? '', prompt],
    }),
  };
  const { operations } = await startCliAgent(profile);
  const raw = Buffer.from('the content\n').toString('base64');
  const parts: Part[] = [
    { text: 'read this' },
    { raw, filename: '../../../../etc/-notes.txt', mediaType: 'text/plain' },
    { data: { a: 1 } },
    { url: 'https://example.com/x.png', mediaType: 'text/plain' },
  ];
  const task = await sendForTask(operations, '', { parts });
  const [content, ...prompt] = task.status.message?.parts[0]?.text?.split('\n') ?? [];
  expect(content).toBe('the content');
  expect(prompt.join('\n')).toMatch(
    /^read this\n\nAttached file: (\S+\/1--notes\.txt) \(text\/plain\)\n\n\{\n {2}"a": 1\n\}\n\nAttached file: https:\/\/example.com\/x.png \(text\/plain\)$/,
  );
  const path = /Attached file: (\S+)/.exec(prompt.join('\n'))?.[1] ?? '';
  expect(path.startsWith(tmpdir())).toBe(true);
  await expect(readFile(path)).rejects.toThrow('ENOENT');
});
