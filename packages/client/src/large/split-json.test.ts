import { describe, expect, test } from 'vitest';
import { type ContentWriter, JsonSplitter } from './split-json.ts';
import type { LargeKind } from './content-decoder.ts';

interface Split {
  readonly rest: unknown;
  readonly contents: { kind: LargeKind; content: Buffer }[];
}

/** Splits JSON that arrives in chunks of this many bytes. */
async function split(
  json: string,
  chunkBytes: number,
  maxBytes = Infinity,
  maxValues = Infinity,
): Promise<Split> {
  const contents: { kind: LargeKind; content: Buffer }[] = [];
  const splitter = new JsonSplitter({
    maxBytes,
    tooLarge: () => new Error('too large'),
    maxValues,
    tooManyValues: () => new Error('too many values'),
    open(kind): ContentWriter {
      const entry = { kind, content: Buffer.alloc(0) };
      const pieces: Buffer[] = [];
      const placeholder = `content-${contents.push(entry) - 1}`;
      return {
        placeholder,
        append: (bytes) => void pieces.push(Buffer.from(bytes)),
        flush: async () => {},
        close: async () => void (entry.content = Buffer.concat(pieces)),
      };
    },
  });
  const bytes = Buffer.from(json);
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    await splitter.push(bytes.subarray(at, at + chunkBytes));
  }
  return { rest: JSON.parse(await splitter.finish()), contents };
}

const LONG = 'a "quoted" line\nwith \\ tabs\t and \u{1F600}, é, \u2028 and / '.repeat(3_000);

function task(parts: unknown[]): Record<string, unknown> {
  return { jsonrpc: '2.0', id: 1, result: { id: 't', artifacts: [{ artifactId: 'a', parts }] } };
}

describe.each([1, 7, 65_536])('in chunks of %i bytes', (chunkBytes) => {
  test('a long text goes elsewhere, unescaped, and the rest stays', async () => {
    const given = task([{ kind: 'text', text: LONG }, { data: { short: '"one"' } }]);
    const { rest, contents } = await split(JSON.stringify(given), chunkBytes);
    expect(rest).toEqual(task([{ kind: 'text', text: 'content-0' }, { data: { short: '"one"' } }]));
    expect(contents.map(({ kind, content }) => [kind, content.toString() === LONG])).toEqual([
      ['text', true],
    ]);
  });

  test('many short texts of one list go to one file, joined by line breaks', async () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => `line "${index}" ${'x'.repeat(80)}`);
    const given = task(lines.map((text) => ({ text })));
    const { rest, contents } = await split(JSON.stringify(given), chunkBytes);
    expect(rest).toEqual(task(lines.map(() => ({ text: 'content-0' }))));
    expect(contents.map(({ content }) => content.toString() === lines.join('\n'))).toEqual([true]);
  });

  test('short texts stay', async () => {
    const given = task([{ text: 'short "one"' }, { text: '' }, { text: 'two\n' }]);
    expect(await split(JSON.stringify(given), chunkBytes)).toEqual({ rest: given, contents: [] });
  });

  test('escapes of every kind are decoded', async () => {
    const escaped = `"${String.raw`\u0041\ud83d\ude00\n\/\"\\\b\f\r\t\ud83d x`.repeat(3_000)}"`;
    const json = JSON.stringify(task([{ text: '@' }])).replace('"@"', () => escaped);
    const { contents } = await split(json, chunkBytes);
    const expected = (JSON.parse(escaped) as string).toWellFormed();
    expect(contents[0]?.content.toString() === expected).toBe(true);
  });

  test('files are decoded, whatever the version calls their content', async () => {
    const bytes = Buffer.from(Array.from({ length: 100_001 }, (_, index) => index % 251));
    const raw = bytes.toString('base64');
    const parts = [{ raw }, { kind: 'file', file: { bytes: raw } }, { file: { fileWithBytes: raw } }];
    const { contents } = await split(JSON.stringify(task(parts)), chunkBytes);
    expect(contents.map(({ kind, content }) => [kind, content.equals(bytes)])).toEqual([
      ['raw', true],
      ['raw', true],
      ['raw', true],
    ]);
  });

  test('long data stays JSON, with whatever is in it', async () => {
    const data = { parts: [{ text: LONG }], rows: [1, '}', { metadata: { text: ']' } }] };
    const { rest, contents } = await split(
      JSON.stringify(task([{ data, metadata: { a: 1 } }, { data: LONG }])),
      chunkBytes,
    );
    expect(contents.map(({ kind, content }) => [kind, JSON.parse(content.toString()) as unknown])).toEqual([
      ['data', data],
      ['data', LONG],
    ]);
    expect(JSON.stringify(rest)).toContain('"metadata":{"a":1}');
  });
});

test('only contents of parts go elsewhere', async () => {
  const given = {
    result: {
      id: 't',
      metadata: { parts: [{ text: LONG }], data: LONG },
      artifacts: [{ artifactId: 'a', description: LONG, parts: [{ text: 'x', metadata: { raw: LONG } }] }],
    },
  };
  const { rest, contents } = await split(JSON.stringify(given), 4_096);
  expect(contents).toEqual([]);
  expect(rest).toEqual(given);
});

test('what remains is limited', async () => {
  await expect(split(JSON.stringify({ name: LONG }), 4_096, 1_000)).rejects.toThrow('too large');
  await expect(split('['.repeat(20_000), 4_096)).rejects.toThrow('nested too deeply');
});

test('the number of values in what remains is limited, not that in contents', async () => {
  const numbers = Array.from({ length: 100_000 }, () => 0);
  const { rest, contents } = await split(JSON.stringify(task([{ data: numbers }])), 4_096, Infinity, 100);
  expect(contents).toHaveLength(1);
  expect(JSON.stringify(rest).length).toBeLessThan(1_000);
  const empty = JSON.stringify(task(Array.from({ length: 100 }, () => ({}))));
  await expect(split(empty, 4_096, Infinity, 100)).rejects.toThrow('too many values');
});

test('names of fields of any length are kept, and none is taken for another', async () => {
  const given = { [LONG]: 1, parts: [{ [`text${LONG}`]: LONG, ['x'.repeat(64)]: 2 }] };
  const { rest, contents } = await split(JSON.stringify(given), 4_096);
  expect(contents).toEqual([]);
  expect(rest).toEqual(given);
});

test('JSON that ends inside a content is not taken for a whole one', async () => {
  const json = JSON.stringify(task([{ text: LONG }]));
  await expect(split(json.slice(0, 100_000), 4_096)).rejects.toThrow(SyntaxError);
});
