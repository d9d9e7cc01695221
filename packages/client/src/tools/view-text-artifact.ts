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
    'View the text of an artifact: a document, a log, code. Give a range of lines or a range of characters, not both, ' +
    'when the text is long; without a range all of it is shown. Use this for texts that sendMessage or getTask ' +
    'shortened; what they say in "_total_lines" and "_total_characters" tells which ranges there are.',
  inputSchema: z.object({
    agentId: field.agentId,
    taskId: field.taskId,
    artifactId: field.artifactId,
    lineStart: position('First line, counted from 1; negative numbers count from the end.'),
    lineEnd: position('Last line, included.'),
    characterStart: position('First character, counted from 0.'),
    characterEnd: position('The character after the last one.'),
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
