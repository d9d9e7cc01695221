import { A2AError } from '@holdword/protocol';
import { z } from 'zod';
import { selectByPath } from '../artifacts/data/json-path.ts';
import { contentsOfParts } from '../llm/part-content.ts';
import { dataOfArtifact } from './artifact/artifact-content.ts';
import { findArtifact } from './artifact/find-artifact.ts';
import { selectFrom } from './artifact/select-from.ts';
import { field } from './input-fields.ts';
import { describeArtifact } from './replies/artifact-reply.ts';
import { listReply } from './replies/list-reply.ts';
import { MatchList } from './search/match-list.ts';
import { prepareQuery } from './search/query.ts';
import { searchData } from './search/search-data.ts';
import { searchText } from './search/search-text.ts';
import { defineTool, READ_ONLY } from './tool.ts';

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
    for (const content of contents) {
      if (content.kind === 'text' && !dataOnly) {
        searchText(content.text, query, input.contextLines ?? DEFAULT_CONTEXT_LINES, matches);
      }
    }
    if (dataOnly || contents.some(({ kind }) => kind === 'data')) {
      const data = dataOfArtifact(artifact);
      selectFrom(() =>
        searchData(jsonPath ? selectByPath(data, jsonPath) : data, query, column ?? undefined, matches),
      );
    }
    if (contents.every(({ kind }) => kind === 'file')) {
      throw new A2AError(
        'INVALID_PARAMS',
        `Artifact "${input.artifactId}" contains only files, which cannot be searched.`,
      );
    }
    const head = { ...describeArtifact(artifact), _total_matches: matches.total };
    return listReply(context, head, 'matches', matches.shown);
  },
});
