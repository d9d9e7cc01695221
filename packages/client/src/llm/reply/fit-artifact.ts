import { compactJsonLength } from '../../artifacts/data/json-length.ts';
import type { ArtifactForLLM, PartForLLM } from '../for-llm.ts';
import { fitList } from './fit-list.ts';
import { fittableWords } from './fit-words.ts';
import { wantedLength, type Fittable } from './fittable.ts';
import { shareOut } from './share-out.ts';

/** The name and the description get this share of the room, and more where the parts leave more. */
const WORDS_SHARE = 1 / 4;

export interface ArtifactPieces {
  readonly artifactId: string;
  readonly name: string | null | undefined;
  readonly description: string | null | undefined;
  readonly parts: readonly Fittable<PartForLLM>[];
}

/** An artifact: with as much of its parts, its name and its description as there is room for. */
export function fittableArtifact(pieces: ArtifactPieces): Fittable<ArtifactForLLM> {
  const { artifactId, parts } = pieces;
  const name = fittableWords(pieces.name);
  const description = fittableWords(pieces.description);
  const full: ArtifactForLLM = {
    artifactId,
    description: description.full,
    name: name.full,
    parts: parts.map((part) => part.full),
  };
  const empty: ArtifactForLLM = { artifactId, description: null, name: null, parts: [] };
  const frame = compactJsonLength(empty);
  const least = compactJsonLength({ ...empty, _omitted_parts: parts.length });
  const fitWords = (room: number): Pick<ArtifactForLLM, 'description' | 'name'> => {
    const partsWanted = parts.reduce((sum, part) => sum + wantedLength(part, room) + 1, 0);
    const wordsRoom = Math.max(Math.floor(room * WORDS_SHARE), room - partsWanted);
    const [descriptionRoom, nameRoom] = shareOut(
      wordsRoom + description.least + name.least,
      [description, name].map((words) => ({ least: words.least, wanted: wantedLength(words, room) })),
    );
    return {
      description: description.fit(descriptionRoom ?? description.least),
      name: name.fit(nameRoom ?? name.least),
    };
  };
  return {
    full,
    least: Math.min(least, compactJsonLength(full, least)),
    fit(length) {
      if (compactJsonLength(full, length) <= length) return full;
      const words = fitWords(length - least);
      const { values, omitted } = fitList(
        parts,
        length - compactJsonLength({ ...empty, ...words }),
        least - frame,
      );
      return { ...empty, ...words, parts: values, ...(omitted > 0 && { _omitted_parts: omitted }) };
    },
  };
}
