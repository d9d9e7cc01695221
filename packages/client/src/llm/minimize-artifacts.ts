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

/** Options of {@link minimizeArtifacts}. */
export interface MinimizeArtifactsOptions {
  /**
   * If all artifacts together exceed this many characters, texts are cut and data is summarized.
   * @default 50000
   */
  characterLimit?: number | undefined;
  /**
   * Maximum length of string values in minimized objects.
   * @default 5000
   */
  minimizedObjectStringLength?: number | undefined;
  /** Paths of saved files by artifact id, in the order of the file parts. */
  savedFilePaths?: Readonly<Record<string, readonly string[]>> | null | undefined;
  /** Added as `_tip` to texts that were cut. */
  textTip?: string | null | undefined;
  /** Added as `_tip` to data that was summarized. */
  dataTip?: string | null | undefined;
}

/**
 * Prepares artifacts for a model: joins the texts of each artifact, summarizes large data, and replaces files with their
 * location.
 *
 * @example
 * ```ts
 * import { minimizeArtifacts } from '@holdword/client';
 *
 * const [minimized] = minimizeArtifacts(
 *   [{ artifactId: 'art-123', name: 'Log', parts: [{ kind: 'text', text: 'x'.repeat(60_000) }] }],
 *   { textTip: 'Text was minimized. Call viewTextArtifact() to see specific line ranges.' },
 * );
 * console.log(minimized?.parts[0]); // the first and last 25,000 characters
 * ```
 *
 * @throws Error if a limit is not a non-negative integer.
 */
export function minimizeArtifacts(
  artifacts: readonly AnyArtifact[],
  options: MinimizeArtifactsOptions = {},
): ArtifactForLLM[] {
  return fittableArtifacts(artifacts, options).map((artifact) => artifact.full());
}

/** The artifacts as pieces of a reply. */
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
