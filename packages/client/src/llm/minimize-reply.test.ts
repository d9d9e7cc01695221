import type { Artifact, Message, Part, Task, V03Artifact } from '@holdword/protocol';
import { coreTaskToV03 } from '@holdword/protocol/internal';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArtifactSettings } from '../artifacts/artifact-settings.ts';
import { withTextStatus } from './for-llm.ts';
import { minimizeArtifacts, minimizeMessage, minimizeTask } from './minimize-reply.ts';

const ANSWER =
  'I found three recent papers on quantum computing and retrieved the abstract for the most recent one.';
const PAPERS = [
  { title: 'Quantum Error Correction Advances', year: 2025, authors: 'Chen et al.' },
  { title: 'Topological Quantum Computing Survey', year: 2024, authors: 'Nakamura et al.' },
  { title: 'Fault-Tolerant Logical Qubits', year: 2024, authors: 'Wang et al.' },
];
const ABSTRACT =
  'Quantum computing has seen rapid advances in error correction.\nRecent work demonstrates fault-tolerant logical qubits at scale.';

function message(...parts: Part[]): Message {
  return { messageId: 'm-1', contextId: 'ctx-456', role: 'ROLE_AGENT', parts };
}

function task(artifacts: Artifact[], ...statusParts: Part[]): Task {
  return {
    id: 'task-123',
    contextId: 'ctx-456',
    status: {
      state: 'TASK_STATE_COMPLETED',
      ...(statusParts.length > 0 && { message: message(...statusParts) }),
    },
    artifacts,
  };
}

const RESEARCH = task(
  [
    {
      artifactId: 'art-789',
      description: 'Search results for quantum computing papers',
      name: 'Search Results',
      parts: [{ data: PAPERS }],
    },
    {
      artifactId: 'art-790',
      description: "Abstract of 'Quantum Error Correction Advances' by Chen et al.",
      name: 'Abstract',
      parts: [{ text: ABSTRACT }],
    },
  ],
  { text: ANSWER },
);
const RESEARCH_FOR_LLM = {
  id: 'task-123',
  contextId: 'ctx-456',
  kind: 'task',
  status: {
    state: 'completed',
    message: { contextId: 'ctx-456', kind: 'message', parts: [{ kind: 'text', text: ANSWER }] },
  },
  artifacts: [
    {
      artifactId: 'art-789',
      description: 'Search results for quantum computing papers',
      name: 'Search Results',
      parts: [{ kind: 'data', data: PAPERS }],
    },
    {
      artifactId: 'art-790',
      description: "Abstract of 'Quantum Error Correction Advances' by Chen et al.",
      name: 'Abstract',
      parts: [{ kind: 'text', text: ABSTRACT }],
    },
  ],
};

describe('a reply within its budget', () => {
  it('is returned whole', () => {
    expect(minimizeTask(RESEARCH, { budget: 50_000 })).toEqual(RESEARCH_FOR_LLM);
    expect(minimizeTask(coreTaskToV03(RESEARCH, 'plain'), { budget: 50_000 })).toEqual(RESEARCH_FOR_LLM);
    expect(minimizeMessage(message({ text: ANSWER }), { budget: 50_000 })).toEqual(
      RESEARCH_FOR_LLM.status.message,
    );
  });

  it('is returned whole if the budget equals its length', () => {
    const named = task([
      { artifactId: 'a', name: '', description: 'x', parts: [{ text: '"' }, { data: [] }] },
    ]);
    const { length } = JSON.stringify(minimizeTask(named, { budget: 50_000 }));
    expect(minimizeTask(named, { budget: length })).toEqual(minimizeTask(named, { budget: 50_000 }));
  });

  it('has null for missing fields', () => {
    const waiting: Task = { ...task([]), status: { state: 'TASK_STATE_INPUT_REQUIRED' } };
    expect(minimizeTask(waiting, { budget: 50_000 }).status).toEqual({
      state: 'input-required',
      message: null,
    });
    const { contextId: _, ...nowhere } = message({ text: 'hi' });
    expect(minimizeMessage(nowhere, { budget: 50_000 }).contextId).toBeNull();
  });

  it('can have its status message as plain text', () => {
    const { status } = RESEARCH_FOR_LLM;
    const reply = minimizeTask(RESEARCH, { budget: 50_000 });
    expect(withTextStatus(reply)).toEqual({ ...RESEARCH_FOR_LLM, status: { ...status, message: ANSWER } });
    const form = minimizeTask(task([], { text: 'Fill this in' }, { data: { name: '' } }), { budget: 50_000 });
    expect(withTextStatus(form)).toEqual(form);
  });
});

describe('a reply over its budget', () => {
  it('divides the room: short pieces stay whole', () => {
    const long = { artifactId: 'long', parts: [{ text: 'line of text\n'.repeat(10_000) }] };
    const reply = minimizeTask(task([...(RESEARCH.artifacts ?? []), long], { text: ANSWER }), {
      budget: 5_000,
      textTip: 'See more.',
    });
    expect(reply.status).toEqual(RESEARCH_FOR_LLM.status);
    expect(reply.artifacts.slice(0, 2)).toEqual(RESEARCH_FOR_LLM.artifacts);
    expect(reply.artifacts[2]?.parts).toEqual([
      expect.objectContaining({ _total_lines: 10_001, _total_characters: 130_000, _tip: 'See more.' }),
    ]);
    expect(JSON.stringify(reply).length).toBeGreaterThan(4_900);
    expect(JSON.stringify(reply).length).toBeLessThanOrEqual(5_000);
  });

  it('minimizes the status message as well', () => {
    const reply = minimizeTask(task([], { text: 'word '.repeat(50_000) }), { budget: 2_000 });
    expect(reply.status.message?.parts).toEqual([
      expect.objectContaining({ text: expect.stringContaining('characters omitted') }),
    ]);
  });

  it('keeps the counts of types as long as possible', () => {
    const rows = Array.from({ length: 500 }, (_, index) => ({
      id: index,
      text: `text ${index}`.repeat(20),
      ...(index % 5 === 0 && { flag: true }),
    }));
    const table = task([{ artifactId: 'table', parts: [{ data: rows }] }]);
    expect(minimizeTask(table, { budget: 2_000 }).artifacts[0]?.parts).toMatchObject([
      {
        data: {
          data: { _total_rows: 500, _columns: [{ unique_count: 500 }, { count: 500 }, { count: 100 }] },
        },
      },
    ]);
    expect(minimizeTask(table, { budget: 500 }).artifacts[0]?.parts).toEqual([
      {
        kind: 'data',
        data: {
          data: {
            _total_rows: 500,
            _columns: [
              { types: [{ name: 'int', count: 500 }], name: 'id' },
              { types: [{ name: 'string', count: 500 }], name: 'text' },
              { types: [{ name: 'bool', count: 100 }], name: 'flag' },
            ],
          },
        },
      },
    ]);
    expect(minimizeTask(table, { budget: 300 }).artifacts[0]?.parts).toEqual([
      { kind: 'data', data: { data: { _total_rows: 500, _columns: [], _omitted_columns: 3 } } },
    ]);
  });

  it('shortens strings in objects before it drops values', () => {
    const data = { title: 'Report', body: 'x'.repeat(4_000), notes: 'y'.repeat(4_000) };
    const reply = minimizeTask(task([{ artifactId: 'object', parts: [{ data }] }]), { budget: 1_000 });
    expect(reply.artifacts[0]?.parts).toEqual([
      {
        kind: 'data',
        data: {
          data: {
            title: 'Report',
            body: `${'x'.repeat(100)}... [3,900 more chars]`,
            notes: `${'y'.repeat(100)}... [3,900 more chars]`,
          },
        },
      },
    ]);
    const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field${index}`, index]));
    expect(
      minimizeTask(task([{ artifactId: 'wide', parts: [{ data: wide }] }]), { budget: 400 }).artifacts[0]
        ?.parts,
    ).toMatchObject([
      {
        data: {
          data: {
            _total_fields: 1_000,
            _fields: { length: 4 },
            _omitted_fields: 996,
          },
        },
      },
    ]);
  });

  it('reports how many artifacts and parts were omitted', () => {
    const artifacts = Array.from({ length: 1_000 }, (_, index) => ({
      artifactId: `artifact-${index}`,
      name: `Artifact ${index}`,
      parts: [{ text: `text of artifact ${index} `.repeat(100) }],
    }));
    const reply = minimizeTask(task(artifacts, { text: ANSWER }), { budget: 10_000 });
    expect(reply.status).toEqual(RESEARCH_FOR_LLM.status);
    expect(reply.artifacts.length).toBeGreaterThan(50);
    expect(reply['_omitted_artifacts']).toBe(1_000 - reply.artifacts.length);

    const many = message(...Array.from({ length: 1_000 }, (_, index) => ({ data: index })));
    const shown = minimizeMessage(many, { budget: 2_000 });
    expect(shown['_omitted_parts']).toBe(1_000 - shown.parts.length);
    expect(shown.parts[0]).toEqual({ kind: 'data', data: 0 });
  });

  it('is returned whole if that is shorter than the note about omissions', () => {
    const small = { ...task([]), artifacts: [] };
    const { length } = JSON.stringify(minimizeTask(small, { budget: 50_000 }));
    expect(minimizeTask(small, { budget: length })).toEqual(minimizeTask(small, { budget: 50_000 }));
    expect(() => minimizeTask(small, { budget: length - 1 })).toThrow('too small');
  });

  it('is rejected if not even the ids fit', () => {
    expect(() => minimizeTask(RESEARCH, { budget: 50 })).toThrow(
      /budget of 50 is too small.*Raise the budget/,
    );
    expect(() => minimizeTask(RESEARCH, { budget: -1 })).toThrow('Expected budget');
  });

  it('respects a budget in tokens', () => {
    const long = task([{ artifactId: 'a', parts: [{ text: 'some words, '.repeat(5_000) }] }], {
      text: ANSWER,
    });
    const reply = minimizeTask(long, { budget: 1_000, count: countWords });
    expect(countWords(JSON.stringify(reply))).toBeLessThanOrEqual(1_000);
    expect(countWords(JSON.stringify(reply))).toBeGreaterThan(800);
    expect(() => minimizeTask(long, { budget: 1_000, count: () => Infinity })).toThrow('too small');
  });

  const anyPart: fc.Arbitrary<Part> = fc.oneof(
    fc.string({ maxLength: 400 }).map((text) => ({ text })),
    fc.jsonValue({ maxDepth: 3 }).map((data) => ({ data })),
    fc.array(fc.record({ id: fc.nat(), name: fc.string() }), { maxLength: 60 }).map((data) => ({ data })),
    fc.record({ url: fc.webUrl(), filename: fc.string({ maxLength: 80 }) }),
    fc.constant({ raw: 'AAAA' }),
  );
  const anyArtifact: fc.Arbitrary<Artifact> = fc.record({
    artifactId: fc.string({ minLength: 1, maxLength: 20 }),
    name: fc.string({ maxLength: 60 }),
    description: fc.string({ maxLength: 200 }),
    parts: fc.array(anyPart, { minLength: 1, maxLength: 5 }),
  });

  it('never exceeds its budget, is whole if it fits, and is deterministic', () => {
    fc.assert(
      fc.property(
        fc.array(anyArtifact, { maxLength: 6 }),
        fc.array(anyPart, { maxLength: 3 }),
        fc.integer({ min: 200, max: 3_000 }),
        fc.integer({ min: 50, max: 2_000 }),
        (artifacts, statusParts, budget, limit) => {
          const settings = new ArtifactSettings({
            sendMessageCharacterLimit: limit,
            minimizedObjectStringLength: 40,
          });
          const whole = task(artifacts, ...statusParts);
          const reply = minimizeTask(whole, { budget, settings, textTip: 'text', dataTip: 'data' });
          expect(JSON.stringify(reply).length).toBeLessThanOrEqual(budget);
          expect(
            minimizeTask(structuredClone(whole), { budget, settings, textTip: 'text', dataTip: 'data' }),
          ).toEqual(reply);
          expect(reply.artifacts.length + (reply['_omitted_artifacts'] ?? 0)).toBe(artifacts.length);
          const ample = minimizeTask(whole, {
            budget: 1_000_000,
            settings,
            textTip: 'text',
            dataTip: 'data',
          });
          if (JSON.stringify(ample).length <= budget) expect(reply).toEqual(ample);
        },
      ),
      { numRuns: 300 },
    );
  });
});

function countWords(text: string): number {
  return text.match(/\w+|[^\w\s]/g)?.length ?? 0;
}

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
