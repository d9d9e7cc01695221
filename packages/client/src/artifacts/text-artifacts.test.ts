import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextArtifacts } from './text-artifacts.ts';

const LOG = '[INFO] Server started\n[INFO] Connected to DB\n[WARN] Cache miss\n[INFO] Request OK';

const anyText = fc.array(fc.constantFrom('a', 'é', '\n', '\r', '👩‍🚀', '\ud83d', 'word '), { maxLength: 60 });

describe('TextArtifacts.view', () => {
  it('selects lines', () => {
    expect(TextArtifacts.view(LOG, { lineStart: 1, lineEnd: 2 })).toBe(
      '[INFO] Server started\n[INFO] Connected to DB',
    );
    expect(TextArtifacts.view(LOG, { lineStart: -1 })).toBe('[INFO] Request OK');
    expect(TextArtifacts.view(LOG, { lineEnd: -3 })).toBe('[INFO] Server started\n[INFO] Connected to DB');
  });

  it('selects characters', () => {
    expect(TextArtifacts.view('Hello, World!', { characterStart: 0, characterEnd: 5 })).toBe('Hello');
    expect(TextArtifacts.view('Hello, World!', { characterStart: -6 })).toBe('World!');
  });

  it('returns everything without a selection', () => {
    expect(TextArtifacts.view(LOG)).toBe(LOG);
    expect(TextArtifacts.view(LOG, { lineStart: null, lineEnd: null, characterStart: null })).toBe(LOG);
  });

  it.each([
    [{ lineStart: 1, characterStart: 0 }, 'cannot be combined'],
    [{ lineStart: 0 }, 'Expected lineStart to be between 1 and 4'],
    [{ lineStart: 5 }, 'found 5. The text has 4 lines.'],
    [{ lineEnd: 20 }, 'Expected lineEnd to be between 1 and 4'],
    [{ lineStart: -5 }, 'between -4 and -1'],
    [{ lineStart: 3, lineEnd: 2 }, 'found line 3 and line 2'],
    [{ lineStart: 1.5 }, 'an integer, found 1.5'],
    [{ characterEnd: Number.NaN }, 'an integer'],
    [{ characterLimit: 20 }, 'has 80 characters, which exceeds the limit of 20'],
    [{ characterLimit: -1 }, 'Expected characterLimit'],
  ])('rejects %j', (options, message) => {
    expect(() => TextArtifacts.view(LOG, options)).toThrow(message);
  });

  it('equals the slice for every range of characters', () => {
    fc.assert(
      fc.property(
        anyText,
        fc.integer({ min: -80, max: 80 }),
        fc.integer({ min: -80, max: 80 }),
        (pieces, characterStart, characterEnd) => {
          const text = pieces.join('');
          expect(TextArtifacts.view(text, { characterStart, characterEnd })).toBe(
            text.slice(characterStart, characterEnd),
          );
        },
      ),
    );
  });

  it('equals the lines for every range of lines', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.nat(), (pieces, one, other) => {
        const text = pieces.join('');
        const lines = text.split('\n');
        const [first = 0, last = 0] = [one % lines.length, other % lines.length].toSorted((a, b) => a - b);
        const expected = lines.slice(first, last + 1).join('\n');
        expect(TextArtifacts.view(text, { lineStart: first + 1, lineEnd: last + 1 })).toBe(expected);
        const fromEnd = { lineStart: first - lines.length, lineEnd: last - lines.length };
        expect(TextArtifacts.view(text, fromEnd)).toBe(expected);
      }),
    );
  });
});

describe('TextArtifacts.minimize', () => {
  it('returns a short text unchanged', () => {
    expect(TextArtifacts.minimize('Hello, world!')).toEqual({ text: 'Hello, world!' });
  });

  it('returns the beginning and the end of a long text', () => {
    const half = 'x'.repeat(25_000);
    expect(TextArtifacts.minimize('x'.repeat(60_000))).toEqual({
      text: `${half}\n\n[... 10,000 characters omitted ...]\n\n${half}`,
      _total_lines: 1,
      _total_characters: 60_000,
      _start_line_range: '1-1',
      _end_line_range: '1-1',
      _start_character_range: '0-25000',
      _end_character_range: '35000-60000',
    });
  });

  it('reports which lines are shown', () => {
    const text = 'one\ntwo\nthree\nfour\nfive';
    expect(TextArtifacts.minimize(text, { characterLimit: 11, tip: 'Ask for more.' })).toEqual({
      text: 'one\nt\n\n[... 13 characters omitted ...]\n\n\nfive',
      _total_lines: 5,
      _total_characters: 23,
      _start_line_range: '1-2',
      _end_line_range: '4-5',
      _start_character_range: '0-5',
      _end_character_range: '18-23',
      _tip: 'Ask for more.',
    });
  });

  it('does not split surrogate pairs', () => {
    expect(TextArtifacts.minimize('a🙂bcdef🙂g', { characterLimit: 4 })).toMatchObject({
      text: 'a\n\n[... 9 characters omitted ...]\n\ng',
      _start_character_range: '0-1',
      _end_character_range: '10-11',
    });
  });

  it('keeps at most as many characters as the limit, and reports their exact ranges', () => {
    fc.assert(
      fc.property(anyText, fc.nat(100), (pieces, characterLimit) => {
        const text = pieces.join('');
        const minimized = TextArtifacts.minimize(text, { characterLimit });
        if (text.length <= characterLimit) {
          expect(minimized).toEqual({ text });
          return;
        }
        const [headStart = 0, headEnd = 0] = rangeOf(minimized['_start_character_range']);
        const [tailStart = 0, tailEnd = 0] = rangeOf(minimized['_end_character_range']);
        expect(headEnd - headStart + tailEnd - tailStart).toBeLessThanOrEqual(characterLimit);
        const omitted = tailStart - headEnd;
        expect(minimized['text']).toBe(
          `${text.slice(headStart, headEnd)}\n\n[... ${omitted} characters omitted ...]\n\n${text.slice(tailStart, tailEnd)}`,
        );
      }),
    );
  });
});

function rangeOf(range: unknown): number[] {
  return String(range).split('-').map(Number);
}
