import type { OperationRequest } from '@holdword/protocol/internal';
import type { PeerCallOptions } from './peer.ts';

export type UnaryOperation = 'sendMessage' | 'getTask' | 'listTasks' | 'cancelTask' | 'getExtendedAgentCard';
export type StreamingOperation = 'sendStreamingMessage' | 'subscribeToTask';

/** One frame of a stream: JSON of A2A 1.0 that no schema has accepted yet, and the id that came with it. */
export interface WireFrame {
  json: unknown;
  id?: string;
}

/**
 * One binding in one version. It writes requests, reads answers as JSON of A2A 1.0 and turns refusals into A2AErrors;
 * whether an answer makes sense is not its business.
 */
export interface Wire {
  call<Name extends UnaryOperation>(
    operation: Name,
    request: OperationRequest<Name>,
    options: PeerCallOptions,
  ): Promise<unknown>;
  stream<Name extends StreamingOperation>(
    operation: Name,
    request: OperationRequest<Name>,
    options: PeerCallOptions,
  ): AsyncIterable<WireFrame>;
  close(): void;
}
