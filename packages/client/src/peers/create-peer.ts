import {
  RESUME_EXTENSION,
  type AgentInterface,
  type ProtocolBinding,
  type ProtocolVersion,
  type StreamResponse,
} from '@holdword/protocol';
import {
  asObject,
  generationOfEvent,
  responseKind,
  type OperationRequest,
  type OperationResponse,
} from '@holdword/protocol/internal';
import type { LargeParts } from '../large/large-parts.ts';
import { READERS } from './answers.ts';
import { sameTask } from './own-events.ts';
import type { Peer, PeerCallOptions, PeerEvent } from './peer.ts';
import type { UnaryOperation, Wire, WireFrame } from './wire.ts';

export interface PeerIdentity {
  binding: ProtocolBinding;
  version: ProtocolVersion;
  /** Copied into every request, as the specification requires. */
  tenant: AgentInterface['tenant'];
  /** Whether the ids of its server-sent events are sequence numbers of the resume extension. */
  sequencesEvents: boolean;
  /** Where the wire put the contents of large responses. */
  largeParts: LargeParts | undefined;
}

/** Wraps a wire: validates responses, adds the tenant, and reads sequence numbers. */
export function createPeer(wire: Wire, identity: PeerIdentity): Peer {
  const { binding, version, tenant, sequencesEvents, largeParts } = identity;
  const scope = tenant === undefined || tenant === '' ? {} : { tenant };
  const call = async <Name extends UnaryOperation>(
    operation: Name,
    request: OperationRequest<Name>,
    options: PeerCallOptions = {},
  ): Promise<OperationResponse<Name>> => {
    const value = READERS[responseKind(operation)](
      await wire.call(operation, { ...request, ...scope }, options),
    );
    return largeParts === undefined ? value : largeParts.resolve(value);
  };
  const events = (frames: AsyncIterable<WireFrame>): AsyncIterable<PeerEvent> =>
    readEvents(frames, sequencesEvents);
  return {
    binding,
    version,
    send: (request, options) => call('sendMessage', request, options),
    stream: (request, options = {}) =>
      events(wire.stream('sendStreamingMessage', { ...request, ...scope }, options)),
    subscribe: (request, options = {}) =>
      events(wire.stream('subscribeToTask', { ...request, ...scope }, options)),
    get: async (request, options) => sameTask(request.id, await call('getTask', request, options)),
    list: (request, options) => call('listTasks', request, options),
    cancel: async (request, options) => sameTask(request.id, await call('cancelTask', request, options)),
    close: () => wire.close(),
  };
}

async function* readEvents(
  frames: AsyncIterable<WireFrame>,
  sequencesEvents: boolean,
): AsyncGenerator<PeerEvent> {
  for await (const frame of frames) yield readFrame(frame, sequencesEvents);
}

/** The event of a frame, with its numbers. */
export function readFrame({ json, id }: WireFrame, sequencesEvents: boolean): PeerEvent {
  const event = READERS.events(json);
  const sequence = includedSequence(event) ?? (sequencesEvents ? sequenceOf(id) : undefined);
  const generation = generationOfEvent(event);
  const unknownEnd = unknownEndOf(json);
  return {
    event,
    ...(sequence !== undefined && { sequence }),
    ...(generation !== undefined && { generation }),
    ...(unknownEnd !== undefined && { unknownEnd }),
  };
}

function unknownEndOf(json: unknown): string | undefined {
  const { final, status } = asObject(asObject(json)['statusUpdate']);
  return final === true ? String(asObject(status)['state']) : undefined;
}

/** The sequence number in the metadata of an event. */
function includedSequence(event: StreamResponse): number | undefined {
  const [content] = Object.values(event);
  const stamp = content?.metadata?.[RESUME_EXTENSION];
  const sequence: unknown =
    typeof stamp === 'object' && stamp !== null ? Reflect.get(stamp, 'seq') : undefined;
  return typeof sequence === 'number' && Number.isSafeInteger(sequence) ? sequence : undefined;
}

function sequenceOf(id: string | undefined): number | undefined {
  return id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : undefined;
}
