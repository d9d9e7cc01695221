import type { OperationRequest } from '@holdword/protocol/internal';
import type { PeerCallOptions } from './peer.ts';

export type UnaryOperation = 'sendMessage' | 'getTask' | 'listTasks' | 'cancelTask' | 'getExtendedAgentCard';
export type StreamingOperation = 'sendStreamingMessage' | 'subscribeToTask';

/** One frame of a stream: JSON of A2A 1.0 that is not validated yet, and its event id. */
export interface WireFrame {
  json: unknown;
  id?: string;
}

/**
 * One binding in one version. Encodes requests, decodes responses to JSON of A2A 1.0, and converts error responses to
 * A2AErrors. Leaves validation to its users.
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
