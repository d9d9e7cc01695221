import type { Artifact, V03Artifact } from '@holdword/protocol';
import { describe, expect, it } from 'vitest';
import { minimizeArtifacts } from './minimize-artifacts.ts';

const EMPLOYEES = Array.from({ length: 100 }, (_, index) => ({
  name: `Employee ${index}`,
  department: ['Eng', 'Marketing', 'Design', 'Sales'][index % 4],
  salary: 60_000 + index * 500,
}));
const TEXT_TIP = 'Text was minimized. Call viewTextArtifact() to see specific line ranges.';
const DATA_TIP = 'Data was minimized. Call viewDataArtifact() to navigate to specific data.';
const PATH = './storage/files/task-123/art-789/q4-report.pdf';

const V03: V03Artifact[] = [
  {
    artifactId: 'art-123',
    description: 'Full text of a research paper abstract spanning several pages.',
    name: 'Research Paper Abstract',
    parts: [{ kind: 'text', text: 'x'.repeat(60_000) }],
  },
  {
    artifactId: 'art-456',
    description: 'Company employee directory with names, departments, and salaries.',
    name: 'Employee Directory',
    parts: [{ kind: 'data', data: EMPLOYEES }],
  },
  {
    artifactId: 'art-789',
    description: 'Generated quarterly financial report in PDF format.',
    name: 'Quarterly Report',
    parts: [
      {
        kind: 'file',
        file: { name: 'q4-report.pdf', mimeType: 'application/pdf', bytes: 'base64encodeddata...' },
      },
    ],
  },
];
const CORE: Artifact[] = [
  { ...V03[0]!, parts: [{ text: 'x'.repeat(60_000) }] },
  { ...V03[1]!, parts: [{ data: EMPLOYEES }] },
  {
    ...V03[2]!,
    parts: [{ raw: 'base64encodeddata...', filename: 'q4-report.pdf', mediaType: 'application/pdf' }],
  },
];

describe('minimizeArtifacts', () => {
  it.each([
    ['0.3', V03],
    ['1.0', CORE],
  ])('minimizes artifacts of A2A %s', (_, artifacts) => {
    const half = 'x'.repeat(25_000);
    expect(
      minimizeArtifacts(artifacts, {
        textTip: TEXT_TIP,
        dataTip: DATA_TIP,
        savedFilePaths: { 'art-789': [PATH] },
      }),
    ).toEqual([
      {
        artifactId: 'art-123',
        description: 'Full text of a research paper abstract spanning several pages.',
        name: 'Research Paper Abstract',
        parts: [
          {
            kind: 'text',
            text: `${half}\n\n[... 10,000 characters omitted ...]\n\n${half}`,
            _total_lines: 1,
            _total_characters: 60_000,
            _start_line_range: '1-1',
            _end_line_range: '1-1',
            _start_character_range: '0-25000',
            _end_character_range: '35000-60000',
            _tip: TEXT_TIP,
          },
        ],
      },
      {
        artifactId: 'art-456',
        description: 'Company employee directory with names, departments, and salaries.',
        name: 'Employee Directory',
        parts: [
          {
            kind: 'data',
            data: {
              data: {
                _total_rows: 100,
                _columns: [expect.anything(), expect.anything(), expect.anything()],
                _tip: DATA_TIP,
              },
            },
          },
        ],
      },
      {
        artifactId: 'art-789',
        description: 'Generated quarterly financial report in PDF format.',
        name: 'Quarterly Report',
        parts: [
          {
            kind: 'file',
            name: 'q4-report.pdf',
            mimeType: 'application/pdf',
            uri: null,
            bytes: { _saved_to: [PATH] },
          },
        ],
      },
    ]);
  });

  it('returns artifacts within the limit unchanged', () => {
    expect(minimizeArtifacts(V03.slice(1, 2))).toEqual([
      {
        artifactId: 'art-456',
        description: 'Company employee directory with names, departments, and salaries.',
        name: 'Employee Directory',
        parts: [{ kind: 'data', data: EMPLOYEES }],
      },
    ]);
    expect(minimizeArtifacts([{ artifactId: 'a', parts: [{ data: null }] }])).toEqual([
      { artifactId: 'a', description: null, name: null, parts: [{ kind: 'data', data: null }] },
    ]);
  });

  it('joins the texts of an artifact at the position of the first', () => {
    const parts = [{ data: 1 }, { text: 'one' }, { data: 2 }, { text: 'two' }];
    expect(minimizeArtifacts([{ artifactId: 'a', parts }])[0]?.parts).toEqual([
      { kind: 'data', data: 1 },
      { kind: 'text', text: 'one\ntwo' },
      { kind: 'data', data: 2 },
    ]);
  });

  it('unwraps data that was wrapped in an object for transport', () => {
    const parts = [{ kind: 'data' as const, data: { value: [1] }, metadata: { data_part_compat: true } }];
    expect(minimizeArtifacts([{ artifactId: 'a', parts }])[0]?.parts).toEqual([{ kind: 'data', data: [1] }]);
  });

  describe('files', () => {
    const url = { url: 'https://files.example/a.png', mediaType: 'image/png' };
    const file = { kind: 'file', name: null, mimeType: 'image/png', bytes: null };

    const saved = (...paths: string[]): unknown => ({ ...file, uri: { _saved_to: paths } });

    it('are shown by URL or by saved path', () => {
      expect(partsOf([url])).toEqual([{ ...file, uri: url.url }]);
      expect(partsOf([url], ['a/1.png'])).toEqual([saved('a/1.png')]);
    });

    it('have their own path, or all paths if some files were not saved', () => {
      expect(partsOf([url, url], ['1', '2'])).toEqual([saved('1'), saved('2')]);
      expect(partsOf([url, url], ['1'])).toEqual([saved('1'), saved('1')]);
    });

    it('are never included themselves', () => {
      const error = { _error: expect.stringContaining('not saved') };
      expect(partsOf([{ raw: 'AAAA' }])).toEqual([
        { kind: 'file', name: null, mimeType: null, uri: null, bytes: error },
      ]);
      expect(partsOf([{ url: `data:image/png;base64,${'A'.repeat(9_000)}` }])).toMatchObject([
        { uri: error },
      ]);
    });
  });
});

function partsOf(parts: Artifact['parts'], paths?: string[]): unknown {
  return minimizeArtifacts([{ artifactId: 'a', parts }], paths && { savedFilePaths: { a: paths } })[0]?.parts;
}
