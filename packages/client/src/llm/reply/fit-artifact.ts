import { compactJsonLength } from '../../artifacts/data/json-length.ts';
import type { ArtifactForLLM, PartForLLM } from '../for-llm.ts';
import { fitList } from './fit-list.ts';
import { fittableLabel } from './fit-label.ts';
import { lazy, totalFullLength, type Fittable } from './fittable.ts';
import { allocate } from './allocate.ts';

/** The share of the room for name and description; they get more if the parts need less. */
const LABEL_SHARE = 1 / 4;

export interface ArtifactPieces {
  readonly artifactId: string;
  readonly name: string | null | undefined;
  readonly description: string | null | undefined;
  readonly parts: readonly Fittable<PartForLLM>[];
}

/** Fits an artifact: as much of its parts, name and description as there is room for. */
export function fittableArtifact(pieces: ArtifactPieces): Fittable<ArtifactForLLM> {
  const { artifactId, parts } = pieces;
  const name = fittableLabel(pieces.name);
  const description = fittableLabel(pieces.description);
  const nulls = description.minLength + name.minLength;
  const empty: ArtifactForLLM = { artifactId, description: null, name: null, parts: [] };
  const frame = compactJsonLength(empty);
  const minLength = compactJsonLength({ ...empty, _omitted_parts: parts.length });
  const full = (): ArtifactForLLM => ({
    artifactId,
    description: description.full(),
    name: name.full(),
    parts: parts.map((part) => part.full()),
  });
  const fullLength = lazy(
    () =>
      frame -
      nulls +
      description.fullLength() +
      name.fullLength() +
      Math.max(0, totalFullLength(parts, Infinity) - 1),
  );
  const fitLabels = (room: number): Pick<ArtifactForLLM, 'description' | 'name'> => {
    const labelRoom = Math.max(Math.floor(room * LABEL_SHARE), room - totalFullLength(parts, room));
    const [descriptionRoom, nameRoom] = allocate(
      labelRoom + nulls,
      [description, name].map((words) => ({ minLength: words.minLength, fullLength: words.fullLength() })),
    );
    return {
      description: description.fit(descriptionRoom ?? description.minLength),
      name: name.fit(nameRoom ?? name.minLength),
    };
  };
  return {
    minLength,
    full,
    fullLength,
    fit(length) {
      if (fullLength() <= length) return full();
      const words = fitLabels(length - minLength);
      const used = compactJsonLength({ ...empty, ...words });
      const { values, omitted } = fitList(parts, length - used, minLength - frame);
      return { ...empty, ...words, parts: values, ...(omitted > 0 && { _omitted_parts: omitted }) };
    },
  };
}
