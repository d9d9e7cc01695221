import { describeValue } from '@holdword/protocol/internal';
import { checkOptions, isAnything, type OptionCheck } from '../basics/check-options.ts';

export const DEFAULT_CHARACTER_LIMIT = 50_000;
export const DEFAULT_OBJECT_STRING_LENGTH = 5_000;

/** Options of {@link ArtifactSettings}. */
export interface ArtifactSettingsOptions {
  /**
   * Number of characters above which artifacts are minimized in the results of `sendMessage` and `getTask`.
   * @default 50000
   */
  sendMessageCharacterLimit?: number | undefined;
  /**
   * Maximum length of string values in minimized objects.
   * @default 5000
   */
  minimizedObjectStringLength?: number | undefined;
  /**
   * Maximum number of characters in the results of `viewTextArtifact` and `viewDataArtifact`.
   * @default 50000
   */
  viewArtifactCharacterLimit?: number | undefined;
}

/**
 * How artifacts are minimized and viewed.
 *
 * @example
 * ```ts
 * import { A2AAgents, A2ASession, A2ATools, ArtifactSettings } from '@holdword/client';
 *
 * const session = new A2ASession(new A2AAgents('./agents.json'));
 * const tools = new A2ATools(session, {
 *   artifactSettings: new ArtifactSettings({ sendMessageCharacterLimit: 100_000 }),
 * });
 * console.log(await tools.getAgents());
 * ```
 */
export class ArtifactSettings {
  /** Number of characters above which artifacts are minimized in the results of `sendMessage` and `getTask`. */
  readonly sendMessageCharacterLimit: number;
  /** Maximum length of string values in minimized objects. */
  readonly minimizedObjectStringLength: number;
  /** Maximum number of characters in the results of `viewTextArtifact` and `viewDataArtifact`. */
  readonly viewArtifactCharacterLimit: number;

  /** @throws Error if a limit is not a non-negative integer, TypeError if an option is unknown. */
  constructor(options: ArtifactSettingsOptions = {}) {
    checkOptions('new ArtifactSettings(options)', options, {
      sendMessageCharacterLimit: isAnything,
      minimizedObjectStringLength: isAnything,
      viewArtifactCharacterLimit: isAnything,
    } satisfies Record<keyof ArtifactSettingsOptions, OptionCheck>);
    this.sendMessageCharacterLimit = checkLimit(
      'sendMessageCharacterLimit',
      options.sendMessageCharacterLimit ?? DEFAULT_CHARACTER_LIMIT,
    );
    this.minimizedObjectStringLength = checkLimit(
      'minimizedObjectStringLength',
      options.minimizedObjectStringLength ?? DEFAULT_OBJECT_STRING_LENGTH,
    );
    this.viewArtifactCharacterLimit = checkLimit(
      'viewArtifactCharacterLimit',
      options.viewArtifactCharacterLimit ?? DEFAULT_CHARACTER_LIMIT,
    );
  }
}

/** Returns the limit. Throws if it is not a non-negative integer. */
export function checkLimit(name: string, limit: number): number {
  if (Number.isInteger(limit) && limit >= 0) return limit;
  throw new Error(`Expected ${name} to be a non-negative integer, found ${describeValue(limit)}.`);
}
