import { A2AError } from '@holdword/protocol';
import { isObject } from '@holdword/protocol/internal';
import { z } from 'zod';
import { fieldNamed } from '../artifacts/foreign-names.ts';
import { childPath, selectByPath } from '../artifacts/json-path.ts';
import { shortenValue } from '../artifacts/shorten.ts';
import { selectColumns } from '../artifacts/view-data.ts';
import { contentsOfParts } from '../llm/part-content.ts';
import {
  dataOfArtifact,
  describeArtifact,
  findArtifact,
  refuseLargeData,
  selectFrom,
} from './artifact-tools.ts';
import { largeTexts } from './large-artifacts.ts';
import { listReply } from './list-reply.ts';
import { defineTool, field, READ_ONLY } from './tool.ts';

const MAX_MATCHES = 50;
const DEFAULT_CONTEXT_LINES = 2;
const MAX_QUERY_LENGTH = 1_000;

export const searchArtifact = defineTool({
  name: 'searchArtifact',
  title: 'Search an artifact',
  description:
    'Search an artifact for a text without reading all of it. For text, returns the matching lines with their line ' +
    'numbers and surrounding lines; for a list or table, the matching rows with their row numbers; for other data, the ' +
    'matching values with their paths. To see more around a match, call viewTextArtifact or viewDataArtifact.',
  inputSchema: z.object({
    agentId: field.agentId('ID of the agent that produced the artifact'),
    taskId: field.taskId('Task ID containing the artifact'),
    artifactId: field.artifactId,
    query: z.string().min(1).max(MAX_QUERY_LENGTH).describe('The text to search for'),
    wildcards: z
      .boolean()
      .nullish()
      .describe('Whether * in the query matches any characters (default: false)'),
    caseSensitive: z.boolean().nullish().describe('Whether the search is case-sensitive (default: false)'),
    contextLines: z
      .number()
      .int()
      .min(0)
      .max(20)
      .nullish()
      .describe(`Number of lines to return before and after a match (default: ${DEFAULT_CONTEXT_LINES})`),
    jsonPath: field.jsonPath,
    column: z.string().nullish().describe('Search only this column of a table'),
    skip: z
      .number()
      .int()
      .min(0)
      .nullish()
      .describe('Number of matches to skip, to see later ones (default: 0)'),
  }),
  annotations: READ_ONLY,
  async run(context, input, { signal }) {
    const artifact = await findArtifact(context.session, input, signal);
    const query = prepareQuery(input.query, {
      wildcards: input.wildcards ?? false,
      caseSensitive: input.caseSensitive ?? false,
    });
    const contents = contentsOfParts(artifact.parts);
    const matches = new MatchList({ skip: input.skip ?? 0, limit: MAX_MATCHES });
    const { jsonPath, column } = input;
    const dataOnly = (jsonPath ?? column ?? undefined) !== undefined;
    if (dataOnly) {
      await refuseLargeData(context, artifact);
      if (!contents.some(({ kind }) => kind === 'data')) {
        throw new A2AError(
          'INVALID_PARAMS',
          `Artifact "${input.artifactId}" has no data. Omit jsonPath and column to search its text.`,
        );
      }
    }
    const large = await largeTexts(context.session.agents.largeParts, artifact.parts);
    for (const text of large) {
      for await (const piece of text.pieces()) {
        searchText(piece.text, query, input.contextLines ?? DEFAULT_CONTEXT_LINES, matches, piece.line);
      }
    }
    for (const content of contents) {
      if (content.kind === 'text' && !dataOnly) {
        searchText(content.text, query, input.contextLines ?? DEFAULT_CONTEXT_LINES, matches);
      }
    }
    if (dataOnly || contents.some(({ kind }) => kind === 'data')) {
      const data = dataOfArtifact(artifact);
      await selectFrom(() =>
        searchData(jsonPath ? selectByPath(data, jsonPath) : data, query, column ?? undefined, matches),
      );
    }
    if (large.length === 0 && contents.every(({ kind }) => kind === 'file')) {
      throw new A2AError(
        'INVALID_PARAMS',
        `Artifact "${input.artifactId}" contains only files, which cannot be searched.`,
      );
    }
    const head = { ...describeArtifact(artifact), _total_matches: matches.total };
    return listReply(context, head, 'matches', matches.shown);
  },
});

/** Counts all matches, but builds only those of one page. */
export class MatchList {
  readonly shown: Record<string, unknown>[] = [];
  readonly #skip: number;
  readonly #limit: number;
  #total = 0;

  constructor(page: { skip: number; limit: number }) {
    this.#skip = page.skip;
    this.#limit = page.limit;
  }

  get total(): number {
    return this.#total;
  }

  add(build: () => Record<string, unknown>): void {
    this.#total += 1;
    if (this.#total > this.#skip && this.shown.length < this.#limit) this.shown.push(build());
  }
}

interface QueryOptions {
  /** Whether `*` matches any characters. */
  readonly wildcards: boolean;
  readonly caseSensitive: boolean;
}

/** A range of a text. */
interface TextRange {
  readonly start: number;
  readonly end: number;
}

type Query = (text: string) => TextRange | undefined;

/**
 * Prepares a search. With wildcards, the pieces between the stars must follow each other. Regular expressions are not
 * supported, because a model may write one with catastrophic backtracking; this search is linear in the text.
 */
export function prepareQuery(query: string, { wildcards, caseSensitive }: QueryOptions): Query {
  const folded = (text: string): string => (caseSensitive ? text : text.toLowerCase());
  const pieces = (wildcards ? query.split('*') : [query]).filter((piece) => piece !== '').map(folded);
  return (text) => {
    const searched = folded(text);
    let start: number | undefined;
    let end = 0;
    for (const piece of pieces) {
      const at = searched.indexOf(piece, end);
      if (at === -1) return undefined;
      start ??= at;
      end = at + piece.length;
    }
    return { start: start ?? 0, end };
  };
}

/** Longer lines are shortened. */
const MAX_LINE_LENGTH = 500;

/** Adds the matching lines of a text with their surrounding lines. The text may be a piece of a longer one. */
export function searchText(
  text: string,
  query: Query,
  context: number,
  matches: MatchList,
  firstLine = 1,
): void {
  /** The ranges of the preceding lines. */
  const before: TextRange[] = [];
  let number = firstLine - 1;
  for (let start = 0; start <= text.length;) {
    const line: TextRange = { start, end: endOfLine(text, start) };
    number += 1;
    const content = text.slice(line.start, line.end);
    const found = query(content);
    if (found !== undefined) {
      const lineNumber = number;
      matches.add(() => ({
        line: lineNumber,
        text: excerpt(content, found),
        ...(context > 0 && {
          before: before.map((each) => beginning(text, each)),
          after: linesAfter(text, line, context).map((each) => beginning(text, each)),
        }),
      }));
    }
    before.push(line);
    if (before.length > context) before.shift();
    start = line.end + 1;
  }
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}

function linesAfter(text: string, line: TextRange, amount: number): TextRange[] {
  const lines: TextRange[] = [];
  for (let start = line.end + 1; lines.length < amount && start <= text.length;) {
    const end = endOfLine(text, start);
    lines.push({ start, end });
    start = end + 1;
  }
  return lines;
}

function beginning(text: string, { start, end }: TextRange): string {
  return end - start <= MAX_LINE_LENGTH
    ? text.slice(start, end)
    : `${text.slice(start, start + MAX_LINE_LENGTH)}...`;
}

/** The whole line, or the part of a long line around the match. */
function excerpt(line: string, { start, end }: TextRange): string {
  if (line.length <= MAX_LINE_LENGTH) return line;
  const room = Math.max(0, Math.floor((MAX_LINE_LENGTH - (end - start)) / 2));
  const from = Math.max(0, start - room);
  const to = Math.min(line.length, from + MAX_LINE_LENGTH);
  return `${from > 0 ? '...' : ''}${line.slice(from, to)}${to < line.length ? '...' : ''}`;
}

/** Longer rows and values are shortened. */
const MAX_VALUE_LENGTH = 2_000;

/**
 * Adds the rows of a list that contain a matching value, in one column or in any; for data that is not a list, adds the
 * matching values with their paths. Throws if the column does not exist.
 */
export function searchData(
  data: unknown,
  query: Query,
  column: string | undefined,
  matches: MatchList,
): void {
  if (!Array.isArray(data)) {
    if (column !== undefined) {
      throw new Error('A column can only be selected in a list of objects. Select the list with jsonPath.');
    }
    for (const { path, value } of leavesOf(data)) {
      if (isFoundIn(value, query))
        matches.add(() => ({ path, value: shortenValue(value, MAX_VALUE_LENGTH) }));
    }
    return;
  }
  const rows: readonly unknown[] = data;
  if (column !== undefined) selectColumns([], rows.filter(isObject), [column]);
  for (const [row, value] of rows.entries()) {
    const searched = column === undefined ? value : isObject(value) ? fieldIn(value, column) : undefined;
    if (hasLeaf(searched, query)) matches.add(() => ({ row, value: shortenValue(value, MAX_VALUE_LENGTH) }));
  }
}

function fieldIn(value: Readonly<Record<string, unknown>>, column: string): unknown {
  const name = fieldNamed(column, (each) => Object.hasOwn(value, each));
  return name === undefined ? undefined : value[name];
}

function hasLeaf(value: unknown, query: Query): boolean {
  for (const leaf of leavesOf(value)) {
    if (isFoundIn(leaf.value, query)) return true;
  }
  return false;
}

function isFoundIn(value: unknown, query: Query): boolean {
  if (typeof value === 'string') return query(value) !== undefined;
  return (typeof value === 'number' || typeof value === 'boolean') && query(String(value)) !== undefined;
}

interface Leaf {
  readonly path: string;
  readonly value: unknown;
}

/** All leaf values in order. Iterative, because untrusted data may be nested deeper than the call stack allows. */
function* leavesOf(data: unknown): Generator<Leaf> {
  const waiting: Leaf[] = [{ path: '', value: data }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, value } = next;
    if (Array.isArray(value)) {
      for (let index = value.length - 1; index >= 0; index -= 1) {
        waiting.push({ path: `${path}[${index}]`, value: value[index] });
      }
    } else if (isObject(value)) {
      for (const [name, item] of Object.entries(value).toReversed()) {
        waiting.push({ path: childPath(path, name), value: item });
      }
    } else yield next;
  }
}
