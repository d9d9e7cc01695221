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
    'View the structured data of an artifact: an object, a list, a table. Lead into the data with jsonPath, then ' +
    'choose rows and columns of the list that is there. Use this for data that sendMessage or getTask summarized; ' +
    'the "_json_path" and the column names of the summary tell what can be chosen.',
  inputSchema: z.object({
    agentId: field.agentId,
    taskId: field.taskId,
    artifactId: field.artifactId,
    jsonPath: field.jsonPath,
    rows: z
      .string()
      .nullish()
      .describe('Rows counted from 0: "0", "0-10" (rows 0 to 10, both included), "0,2,5" or "all".'),
    columns: z.string().nullish().describe('Names of columns: "name", "name,age" or "all".'),
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
