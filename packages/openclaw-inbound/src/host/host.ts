import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApprovalChoice, HostApproval } from '../approvals/approval-desk.ts';
import type { HostTurn, HostTurnEnd } from './host-turn.ts';

/**
 * What this plugin uses of the gateway that loads it. Everything behind it that is not OpenClaw's own is plain code
 * that runs without a gateway.
 */
export interface Host {
  /** Runs one turn of an agent. Resolves when the turn is over, whatever became of it. */
  dispatch(turn: HostTurn): Promise<HostTurnEnd>;
  /** Puts a file where the agent may read it. */
  saveFile(file: IncomingFile): Promise<SavedFile>;
  /** Where files lie that the agent sends. */
  readonly producedFileFolders: readonly string[];
  /** Answers a question that a tool asked before it runs. False when the question is no longer open. */
  decideApproval(decision: ApprovalDecision): Promise<boolean>;
  /** Serves a path on the gateway's HTTP server. Throws when the path is taken. Returns how to take it back. */
  registerRoute(route: HostRoute): () => void;
}

export interface HostRoute {
  readonly path: string;
  readonly match: 'exact' | 'prefix';
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;
}

export interface IncomingFile {
  readonly content: Buffer;
  readonly mediaType: string | undefined;
  readonly name: string | undefined;
}

export interface SavedFile {
  readonly path: string;
  readonly mediaType: string | undefined;
  readonly name: string | undefined;
}

export interface ApprovalDecision {
  readonly approval: HostApproval;
  /** One of those that the question admits. */
  readonly decision: ApprovalChoice;
  /** Who decides, as the session names them. */
  readonly senderId: string;
}
