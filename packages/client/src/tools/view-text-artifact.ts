import { z } from 'zod';
import { TextArtifacts } from '../artifacts/text-artifacts.ts';
import { findArtifact } from './artifact/find-artifact.ts';
import { textOfArtifact } from './artifact/artifact-content.ts';
import { selectFrom } from './artifact/select-from.ts';
import { field } from './input-fields.ts';
import { artifactReply } from './replies/artifact-reply.ts';
import { defineTool, READ_ONLY } from './tool.ts';

const position = (description: string) => z.number().int().nullish().describe(description);

export const viewTextArtifact = defineTool({
  name: 'viewTextArtifact',
  title: 'View a text artifact',
  description:
    'View text content from an artifact, optionally selecting a range. Use this for artifacts containing text ' +
    '(documents, logs, code, etc.). For long text, select a range of lines or a range of characters, not both; without a ' +
    'range, the whole text is returned. "_total_lines" and "_total_characters" in the result of sendMessage or getTask ' +
    'tell how long the text is.',
  inputSchema: z.object({
    agentId: field.agentId('ID of the agent that produced the artifact'),
    taskId: field.taskId('Task ID containing the artifact'),
    artifactId: field.artifactId,
    lineStart: position('Starting line number (1-based, inclusive). Negative numbers count from the end.'),
    lineEnd: position('Ending line number (1-based, inclusive). Negative numbers count from the end.'),
    characterStart: position('Starting character index (0-based, inclusive)'),
    characterEnd: position('Ending character index (0-based, exclusive)'),
  }),
  annotations: READ_ONLY,
  async run(context, { agentId, taskId, artifactId, ...range }, { signal }) {
    const artifact = await findArtifact(context.session, { agentId, taskId, artifactId }, signal);
    const text = textOfArtifact(artifact);
    const characterLimit = context.settings.viewArtifactCharacterLimit;
    const selection = selectFrom(() => TextArtifacts.view(text, { ...range, characterLimit }));
    return artifactReply(context, artifact, { kind: 'text', text: selection });
  },
});
