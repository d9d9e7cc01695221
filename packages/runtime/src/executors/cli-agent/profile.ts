import type { JsonObject, Message, Part } from '@holdword/protocol';
import type { AgentDescription } from '../../agent-description.ts';
import type { ArtifactInput, Owner } from '../executor.ts';

/**
 * What makes one command-line program an agent: how it is called for a turn, and how what it prints is read. One profile
 * per program. Processes, limits, the environment, sessions and the task are the engine's part.
 */
export interface CliProfile {
  /** As in `holdword serve --agent claude-code`. */
  readonly name: string;
  /** What the card says unless the operator says otherwise. */
  readonly card: AgentDescription;
  /**
   * Environment variables the program needs beside the usual ones, such as its API key. `ANTHROPIC_*` stands for all that
   * begin so. Nothing else of the server's environment reaches it.
   */
  readonly environmentNames?: readonly string[];
  command(turn: CliTurn): CliCommand;
  /** Reads the output of that one turn. */
  reader(turn: CliTurn): CliReader;
}

/** What the program is asked to do. */
export interface CliTurn {
  readonly taskId: string;
  readonly contextId: string;
  readonly owner: Owner;
  readonly message: Message;
  /** Metadata of the request. */
  readonly metadata: JsonObject;
  /** The whole message as text: its texts, its data as JSON, its files by their paths. */
  readonly prompt: string;
  /** Files that came with the message, as they lie on disk during this turn. */
  readonly files: readonly CliFile[];
  /**
   * The session in which the program remembers this context: the last one its reader reported for the same owner and
   * context, also before a restart. Undefined where there is none yet.
   */
  readonly sessionId: string | undefined;
  /** An absolute path; the process starts in it. */
  readonly workingDirectory: string;
}

export interface CliFile {
  /** An absolute path. */
  readonly path: string;
  readonly mediaType: string | undefined;
}

export interface CliCommand {
  /** A path, or a name to be looked up in PATH. No shell is involved. */
  readonly file: string;
  readonly arguments: readonly string[];
  /** Written to the standard input, which is then closed. */
  readonly input?: string;
  /** Beside what the allow-list lets through. The operator's values win over these. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Follows the output of one process. */
export interface CliReader {
  /** Takes standard output as it arrives, cut anywhere but inside a character, and says what it means so far. */
  read(text: string): readonly CliOutput[];
  /** Called once, after the process has ended by itself. Not called when it was cancelled, timed out or cut off. */
  finish(end: CliEnd): CliOutcome | Promise<CliOutcome>;
}

/** Something to be told while the process runs. */
export type CliOutput =
  /** More of the answer: appended to the artifact named `response`. */
  | { readonly kind: 'text'; readonly text: string }
  /** What the agent is doing. */
  | { readonly kind: 'status'; readonly text: string; readonly metadata?: JsonObject }
  | { readonly kind: 'artifact'; readonly artifact: ArtifactInput }
  /** The session in which the program remembers this context from now on. */
  | { readonly kind: 'session'; readonly sessionId: string };

/** How the process ended. */
export interface CliEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of what it wrote to its standard error, as it is: not for callers. */
  readonly errorOutput: string;
  /** Its last lines for a caller to read: without secrets and without paths. Empty when there is nothing to say. */
  readonly reason: string;
  /** Makes the same of another text in which the program says what went wrong. */
  readonly toPublic: (text: string) => string;
}

/**
 * What became of the turn; or that the program does not know the session any more: then the engine forgets that and runs
 * the turn once in a new one.
 */
export type CliOutcome = DefiniteOutcome | { readonly state: 'session-lost' };

/** Metadata (model, usage) goes to the artifact and to the message of the status. */
export type DefiniteOutcome =
  /**
   * `parts` is the whole answer. It is the message of the final status, without the bytes of files; it also is the artifact
   * `response` unless that was streamed; with `replaces` it takes the place of what was streamed. Without parts there is no
   * answer, and `note` is what the final status says of that.
   */
  | {
      readonly state: 'completed' | 'input-required' | 'auth-required';
      readonly parts?: readonly Part[];
      readonly replaces?: boolean;
      readonly note?: string;
      readonly metadata?: JsonObject;
    }
  /** `text` is shown to the caller. `parts` is what there is of an answer nevertheless. */
  | {
      readonly state: 'failed';
      readonly text: string;
      readonly parts?: readonly Part[];
      readonly metadata?: JsonObject;
    };
