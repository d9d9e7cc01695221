import { A2AError } from '@holdword/protocol';
import type { AnyArtifact } from '../../llm/any-artifact.ts';
import { contentsOfParts } from '../../llm/part-content.ts';

/** The joined text of an artifact, as it is when minimized, so that ranges agree. */
export function textOfArtifact({ artifactId, parts }: AnyArtifact): string {
  const text = contentsOfParts(parts).find((content) => content.kind === 'text');
  if (text !== undefined) return text.text;
  throw new A2AError(
    'INVALID_PARAMS',
    `Artifact "${artifactId}" has no text, only ${kindsOf(parts)}. View data with viewDataArtifact.`,
  );
}

/** The data of an artifact; a list if it has several data parts. */
export function dataOfArtifact({ artifactId, parts }: AnyArtifact): unknown {
  const pieces = contentsOfParts(parts).filter((content) => content.kind === 'data');
  const [first] = pieces;
  if (first !== undefined) return pieces.length === 1 ? first.data : pieces.map(({ data }) => data);
  throw new A2AError(
    'INVALID_PARAMS',
    `Artifact "${artifactId}" has no data, only ${kindsOf(parts)}. View text with viewTextArtifact.`,
  );
}

function kindsOf(parts: AnyArtifact['parts']): string {
  const kinds = new Set(contentsOfParts(parts).map(({ kind }) => kind));
  return kinds.size === 0 ? 'no parts' : [...kinds].toSorted().join(' and ');
}
