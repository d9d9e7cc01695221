import {
  checkLimit,
  DEFAULT_CHARACTER_LIMIT,
  DEFAULT_OBJECT_STRING_LENGTH,
} from '../artifacts/artifact-settings.ts';
import type { AnyArtifact } from './any-artifact.ts';
import type { ArtifactForLLM } from './for-llm.ts';
import { contentsOfParts } from './part-content.ts';
import { fittableArtifact } from './reply/fit-artifact.ts';
import { exceedsLimit, fittableContents } from './reply/fit-contents.ts';
import type { Fittable } from './reply/fittable.ts';

export interface MinimizeArtifactsOptions {
  /** Above this many characters, all artifacts together, texts are cut to it and data is summarized. */
  characterLimit?: number | undefined;
  /** The longest string value within minimized objects. */
  minimizedObjectStringLength?: number | undefined;
  /** Where the files of an artifact were saved, by its id, in the order of its file parts. */
  savedFilePaths?: Readonly<Record<string, readonly string[]>> | null | undefined;
  /** Told to the model with each text of which something was left out. */
  textTip?: string | null | undefined;
  /** Told to the model with data that was summarized. */
  dataTip?: string | null | undefined;
}

/** Artifacts for a model: the texts of each as one, large data as what it holds, files as where they are. */
export function minimizeArtifacts(
  artifacts: readonly AnyArtifact[],
  options: MinimizeArtifactsOptions = {},
): ArtifactForLLM[] {
  return fittableArtifacts(artifacts, options).map((artifact) => artifact.full());
}

/** The same as pieces of a reply. */
export function fittableArtifacts(
  artifacts: readonly AnyArtifact[],
  options: MinimizeArtifactsOptions,
): Fittable<ArtifactForLLM>[] {
  const partsOptions = {
    characterLimit: checkLimit('characterLimit', options.characterLimit ?? DEFAULT_CHARACTER_LIMIT),
    minimizedObjectStringLength: options.minimizedObjectStringLength ?? DEFAULT_OBJECT_STRING_LENGTH,
    textTip: options.textTip,
    dataTip: options.dataTip,
  };
  const contents = artifacts.map(({ parts }) => contentsOfParts(parts));
  const condense = exceedsLimit(contents.flat(), partsOptions.characterLimit);
  const saved = new Map(Object.entries(options.savedFilePaths ?? {}));
  return artifacts.map(({ artifactId, name, description }, index) =>
    fittableArtifact({
      artifactId,
      name,
      description,
      parts: fittableContents(contents[index] ?? [], saved.get(artifactId) ?? [], condense, partsOptions),
    }),
  );
}
