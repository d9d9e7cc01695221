import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApprovalChoice, HostApproval } from '../approvals/approval-router.ts';
import type { HostTurn, HostTurnEnd } from './host-turn.ts';

/**
 * What this plugin needs from the gateway. All other code runs without a gateway.
 */
export interface Host {
  /** Runs one turn of an agent. Resolves when the turn is over, regardless of its outcome. */
  dispatch(turn: HostTurn): Promise<HostTurnEnd>;
  /** Saves a file where the agent can read it. */
  saveFile(file: IncomingFile): Promise<SavedFile>;
  /** The folders of files that the agent sends. */
  readonly producedFileFolders: readonly string[];
  /** Decides a tool approval. Returns false if it is no longer open. */
  decideApproval(decision: ApprovalDecision): Promise<boolean>;
  /** Registers a path on the gateway's HTTP server and returns a function to unregister it. Throws if the path is in use. */
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
  /** One of the allowed decisions. */
  readonly decision: ApprovalChoice;
  /** The sender id of the caller that decides. */
  readonly senderId: string;
}
