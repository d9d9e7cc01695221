import type { ArtifactSettings } from '../artifacts/artifact-settings.ts';
import {
  isAnything,
  isFunction,
  isList,
  isRecord,
  isRecordOf,
  isText,
  isTextList,
  type OptionCheck,
  orNull,
} from '../basics/check-options.ts';
import type { LargePreviews } from './fit-parts.ts';
import type { ReplyBudget } from './fittable.ts';
import type { UnsavedFile } from './part-content.ts';

/** Options of {@link minimizeTask} and {@link minimizeMessage}. */
export interface ReplyOptions extends ReplyBudget {
  /**
   * Limits for artifacts.
   * @default `new ArtifactSettings()`
   */
  readonly settings?: ArtifactSettings | undefined;
  /** Paths of saved files by artifact id, in the order of the file parts. Those of the message have the id `_message`. */
  readonly savedFilePaths?: Readonly<Record<string, readonly string[]>> | null | undefined;
  /** Files that could not be saved, by artifact id. */
  readonly unsavedFiles?: Readonly<Record<string, readonly UnsavedFile[]>> | null | undefined;
  /** Added as `_tip` to texts of artifacts that were cut. */
  readonly textTip?: string | null | undefined;
  /**
   * Added as `_tip` to texts of messages that were cut.
   * @default `textTip`
   */
  readonly messageTextTip?: string | null | undefined;
  /** Added as `_tip` to data that was summarized. */
  readonly dataTip?: string | null | undefined;
  /**
   * What is shown of contents that are in files.
   * @internal
   */
  readonly largeParts?: LargePreviews | undefined;
}

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
  /** Files that could not be saved, by artifact id. */
  unsavedFiles?: Readonly<Record<string, readonly UnsavedFile[]>> | null | undefined;
  /** Added as `_tip` to texts that were cut. */
  textTip?: string | null | undefined;
  /** Added as `_tip` to data that was summarized. */
  dataTip?: string | null | undefined;
}

const CONTENT_CHECKS = {
  savedFilePaths: orNull(isRecordOf(isTextList)),
  unsavedFiles: orNull(isRecordOf(isList)),
  textTip: orNull(isText),
  dataTip: orNull(isText),
};
/** For the options of `minimizeTask` and `minimizeMessage`. */
export const REPLY_CHECKS = {
  budget: isAnything,
  count: isFunction,
  settings: isRecord,
  messageTextTip: orNull(isText),
  largeParts: isAnything,
  ...CONTENT_CHECKS,
} satisfies Record<keyof ReplyOptions, OptionCheck>;

/** For the options of `minimizeArtifacts`. */
export const ARTIFACTS_CHECKS = {
  characterLimit: isAnything,
  minimizedObjectStringLength: isAnything,
  ...CONTENT_CHECKS,
} satisfies Record<keyof MinimizeArtifactsOptions, OptionCheck>;
