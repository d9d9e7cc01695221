import { A2AError } from '@holdword/protocol';
import { formatCount } from '../../artifacts/format-count.ts';
import { shortenText } from '../../artifacts/data/shorten.ts';
import type { AnyArtifact } from '../../llm/any-artifact.ts';
import type { ArtifactForLLM, PartForLLM } from '../../llm/for-llm.ts';
import type { ToolContext, ToolResult } from '../tool.ts';

const MAX_LABEL_LENGTH = 2_000;

/** What a model is told of an artifact beside its contents. */
export function describeArtifact(artifact: AnyArtifact): Omit<ArtifactForLLM, 'parts'> {
  const { artifactId, description, name } = artifact;
  return { artifactId, description: shortened(description), name: shortened(name) };
}

/** The selected part of an artifact. Throws when it is more than the budget: a selection is shown whole or not at all. */
export function artifactReply(
  { budget, count }: ToolContext,
  artifact: AnyArtifact,
  part: PartForLLM,
): ToolResult {
  const reply = { ...describeArtifact(artifact), parts: [part] };
  const json = JSON.stringify(reply);
  const size = count === undefined ? json.length : count(json);
  if (size <= budget) return reply;
  throw new A2AError(
    'INVALID_PARAMS',
    `The selection takes ${formatCount(size)} of the ${formatCount(budget)} that a reply may have. Choose less.`,
  );
}

function shortened(words: string | undefined): string | null {
  return words === undefined ? null : shortenText(words, MAX_LABEL_LENGTH);
}
