import { z } from 'zod';
import { DataArtifacts } from '../artifacts/data-artifacts.ts';
import { findArtifact } from './artifact/find-artifact.ts';
import { dataOfArtifact } from './artifact/artifact-content.ts';
import { selectFrom } from './artifact/select-from.ts';
import { field } from './input-fields.ts';
import { artifactReply } from './replies/artifact-reply.ts';
import { defineTool, READ_ONLY } from './tool.ts';

export const viewDataArtifact = defineTool({
  name: 'viewDataArtifact',
  title: 'View a data artifact',
  description:
    'View structured data from an artifact with optional filtering. Use this for artifacts containing JSON data ' +
    '(objects, arrays, tables). Navigate into the data with jsonPath, then select rows and columns of the list at that ' +
    'path. Use "_json_path" and the column names in a summary from sendMessage or getTask to select data.',
  inputSchema: z.object({
    agentId: field.agentId('ID of the agent that produced the artifact'),
    taskId: field.taskId('Task ID containing the artifact'),
    artifactId: field.artifactId,
    jsonPath: field.jsonPath,
    rows: z
      .string()
      .nullish()
      .describe(
        'Row selection: "0", "0-10", "0,2,5", "all". Rows are 0-based, and a range includes its end.',
      ),
    columns: z.string().nullish().describe('Column selection: "name", "name,age", "all"'),
  }),
  annotations: READ_ONLY,
  async run(context, { agentId, taskId, artifactId, ...selection }, { signal }) {
    const artifact = await findArtifact(context.session, { agentId, taskId, artifactId }, signal);
    const data = dataOfArtifact(artifact);
    const characterLimit = context.settings.viewArtifactCharacterLimit;
    const selected = selectFrom(() =>
      DataArtifacts.view(data, { ...selection, characterLimit, rowRangeEnd: 'inclusive' }),
    );
    return artifactReply(context, artifact, { kind: 'data', data: selected });
  },
});
