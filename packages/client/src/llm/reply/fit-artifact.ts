import { compactJsonLength } from '../../artifacts/data/json-length.ts';
import type { ArtifactForLLM, PartForLLM } from '../for-llm.ts';
import { fitList } from './fit-list.ts';
import { fittableWords } from './fit-words.ts';
import { once, wantedTogether, type Fittable } from './fittable.ts';
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
  const nulls = description.least + name.least;
  const empty: ArtifactForLLM = { artifactId, description: null, name: null, parts: [] };
  const frame = compactJsonLength(empty);
  const least = compactJsonLength({ ...empty, _omitted_parts: parts.length });
  const full = (): ArtifactForLLM => ({
    artifactId,
    description: description.full(),
    name: name.full(),
    parts: parts.map((part) => part.full()),
  });
  const wanted = once(
    () =>
      frame - nulls + description.wanted() + name.wanted() + Math.max(0, wantedTogether(parts, Infinity) - 1),
  );
  const fitWords = (room: number): Pick<ArtifactForLLM, 'description' | 'name'> => {
    const wordsRoom = Math.max(Math.floor(room * WORDS_SHARE), room - wantedTogether(parts, room));
    const [descriptionRoom, nameRoom] = shareOut(
      wordsRoom + nulls,
      [description, name].map((words) => ({ least: words.least, wanted: words.wanted() })),
    );
    return {
      description: description.fit(descriptionRoom ?? description.least),
      name: name.fit(nameRoom ?? name.least),
    };
  };
  return {
    least,
    full,
    wanted,
    fit(length) {
      if (wanted() <= length) return full();
      const words = fitWords(length - least);
      const used = compactJsonLength({ ...empty, ...words });
      const { values, omitted } = fitList(parts, length - used, least - frame);
      return { ...empty, ...words, parts: values, ...(omitted > 0 && { _omitted_parts: omitted }) };
    },
  };
}
