import { A2AError } from '@holdword/protocol';
import { formatCount } from '../../artifacts/format-count.ts';
import { shortenText } from '../../artifacts/data/shorten.ts';
import type { AnyArtifact } from '../../llm/any-artifact.ts';
import type { ArtifactForLLM, PartForLLM } from '../../llm/for-llm.ts';
import type { ToolContext, ToolResult } from '../tool.ts';

const MAX_LABEL_LENGTH = 2_000;

/** Describes an artifact without its contents. */
export function describeArtifact(artifact: AnyArtifact): Omit<ArtifactForLLM, 'parts'> {
  const { artifactId, description, name } = artifact;
  return { artifactId, description: shortened(description), name: shortened(name) };
}

/** Returns the selected part of an artifact. Throws if it exceeds the budget: a selection is returned whole or not at all. */
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
    `The selection has a size of ${formatCount(size)}, which exceeds the budget of ${formatCount(budget)}. Select less.`,
  );
}

function shortened(text: string | undefined): string | null {
  return text === undefined ? null : shortenText(text, MAX_LABEL_LENGTH);
}
