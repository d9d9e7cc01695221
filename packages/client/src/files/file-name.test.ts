import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileNames } from './file-name.ts';

function nameOf(name: string | undefined, mimeType?: string): string | undefined {
  return fileNames([{ name, mimeType }])[0];
}

describe('fileNames', () => {
  it.each([
    ['quarterly_report.pdf', 'quarterly_report.pdf'],
    ['Übersicht 2025 (final).xlsx', 'Übersicht 2025 (final).xlsx'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\system.ini', 'system.ini'],
    ['.bashrc', 'bashrc'],
    ['a:b|c?.txt', 'a_b_c_.txt'],
    ['line\nbreak\u0000.txt', 'line_break_.txt'],
    ['gpj\u202e.exe', 'gpj_.exe'],
    ['con', '_con'],
    ['NUL.txt', '_NUL.txt'],
    ['ends. . ', 'ends'],
  ])('makes %j safe', (name, expected) => {
    expect(nameOf(name)).toBe(expected);
  });

  it.each([undefined, '', '..', '/', '. .', 'folder/'])('names %j after its media type', (name) => {
    expect(nameOf(name, 'application/pdf')).toBe('file-1.pdf');
    expect(nameOf(name, 'no/such-type')).toBe('file-1');
    expect(nameOf(name)).toBe('file-1');
  });

  it('makes equal names unique', () => {
    const names = fileNames(
      ['a.txt', 'A.txt', 'a-2.txt', 'a.txt', 'b'].map((name) => ({ name, mimeType: undefined })),
    );
    expect(names).toEqual(['a.txt', 'A-2.txt', 'a-2-2.txt', 'a-3.txt', 'b']);
  });

  it('shortens names but keeps their extension', () => {
    expect(nameOf(`${'x'.repeat(5_000)}.tar`)).toMatch(/^x{100,196}\.tar$/);
    expect(Buffer.byteLength(nameOf('👩‍🚀'.repeat(500)) ?? '')).toBeLessThanOrEqual(200);
  });

  it('never returns a name with a path, or a duplicate', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 30 }), { maxLength: 8 }), (wanted) => {
        const names = fileNames(wanted.map((name) => ({ name, mimeType: undefined })));
        for (const name of names) expect(name).toMatch(/^[^./\\][^/\\\0]*$/);
        expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(wanted.length);
      }),
    );
  });
});
