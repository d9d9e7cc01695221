import type { JsonObject, Message, Part } from '@holdword/protocol';
import type { AgentDescription } from '../../agent-description.ts';
import type { ArtifactInput } from '../executor.ts';
import type { Owner } from '../../owner.ts';

/**
 * Describes a command-line program as an agent: how it is called for a turn, and how its output is read. CliAgent does the
 * rest: processes, limits, the environment, sessions and the task.
 */
export interface CliProfile {
  /** As in `holdword serve --agent claude-code`. */
  readonly name: string;
  /** The card of the agent, which the operator can override. */
  readonly card: AgentDescription;
  /**
   * Environment variables that the program needs in addition to the usual ones, such as its API key. `ANTHROPIC_*` matches
   * all that start with `ANTHROPIC_`. Nothing else of the server's environment is passed to it.
   */
  readonly environmentNames?: readonly string[];
  /** A prompt of more bytes is also saved as a file, `turn.promptFile`, for programs that read it from one. By default none is. */
  readonly promptFileAbove?: number;
  /** The context of messages that name neither a context nor a task; by default each gets a new one. */
  readonly defaultContextId?: string | undefined;
  /** The command for a turn. */
  command(turn: CliTurn): CliCommand;
  /** Creates the reader for the output of a turn. */
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
  /** The whole message as text: its texts, its data as JSON, its files as paths. */
  readonly prompt: string;
  /** The prompt as a file that only this user can read, on disk during this turn, if it is longer than the profile says. */
  readonly promptFile?: string | undefined;
  /** The files of the message, on disk during this turn. */
  readonly files: readonly CliFile[];
  /**
   * The session of the program for this context: the last one that its reader reported for the same owner and context, even
   * before a restart. Undefined if there is none yet.
   */
  readonly sessionId: string | undefined;
  /** An absolute path; the process starts in it. */
  readonly workingDirectory: string;
}

/** A file of a message, saved to disk. */
export interface CliFile {
  /** An absolute path. */
  readonly path: string;
  readonly mediaType: string | undefined;
}

/** A command line, its input and its environment. */
export interface CliCommand {
  /** A path, or a name to look up in PATH. No shell is involved. */
  readonly file: string;
  readonly arguments: readonly string[];
  /** Written to stdin, which is then closed. */
  readonly input?: string;
  /** Environment variables to set. Values of the operator win over these. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Reads the output of one process. */
export interface CliReader {
  /** Gets stdout as it arrives, in chunks of whole characters, and returns what it means so far. */
  read(text: string): readonly CliOutput[];
  /** Called once, after the process has exited by itself. Not called if it was canceled, timed out or exceeded a limit. */
  finish(end: CliEnd): CliOutcome | Promise<CliOutcome>;
}

/** Output to report while the process is running. */
export type CliOutput =
  /** More of the answer, appended to the artifact `response`. */
  | { readonly kind: 'text'; readonly text: string }
  /** What the agent is doing. */
  | { readonly kind: 'status'; readonly text: string; readonly metadata?: JsonObject }
  | { readonly kind: 'artifact'; readonly artifact: ArtifactInput }
  /** The session of the program for this context from now on. */
  | { readonly kind: 'session'; readonly sessionId: string };

/** How the process exited. */
export interface CliEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of its stderr, unchanged: not for callers. */
  readonly errorOutput: string;
  /** The last lines of its stderr for callers, with paths and what looks like a secret removed. Empty if there are none. */
  readonly reason: string;
  /** Does the same with another error message of the program. */
  readonly toPublic: (text: string) => string;
}

/** The outcome of a turn, or that the program no longer knows the session: then the turn is run once more in a new one. */
export type CliOutcome = DefiniteOutcome | { readonly state: 'session-lost' };

/** The outcome of a turn. Its metadata, such as model and usage, is added to the artifact and to the status message. */
export type DefiniteOutcome =
  /**
   * `parts` is the whole answer. It becomes the message of the final status, without the bytes of files, and the artifact
   * `response` unless that was streamed. With `replaces` it replaces what was streamed. Without parts there is no answer,
   * and `note` is the text of the final status.
   */
  | {
      readonly state: 'completed' | 'input-required' | 'auth-required';
      readonly parts?: readonly Part[];
      readonly replaces?: boolean;
      readonly note?: string;
      readonly metadata?: JsonObject;
    }
  /** `text` is shown to the caller. `parts` is a partial answer. */
  | {
      readonly state: 'failed';
      readonly text: string;
      readonly parts?: readonly Part[];
      readonly metadata?: JsonObject;
    };
