import {
  RESUME_EXTENSION,
  type AgentInterface,
  type ProtocolBinding,
  type ProtocolVersion,
  type StreamResponse,
} from '@holdword/protocol';
import { readAgentCard, readSendResponse, readStreamResponse, readTask, readTaskList } from './answers.ts';
import type { Peer, PeerEvent } from './peer.ts';
import type { Wire, WireFrame } from './wire.ts';

export interface PeerIdentity {
  binding: ProtocolBinding;
  version: ProtocolVersion;
  /** Copied into every request, as the specification requires. */
  tenant: AgentInterface['tenant'];
  /** Whether the ids of its server-sent events are sequence numbers of the resume extension. */
  sequencesEvents: boolean;
}

/** Wraps a wire: validates responses, adds the tenant, and reads sequence numbers. */
export function createPeer(wire: Wire, identity: PeerIdentity): Peer {
  const { binding, version, tenant, sequencesEvents } = identity;
  const scope = tenant === undefined || tenant === '' ? {} : { tenant };
  const events = (frames: AsyncIterable<WireFrame>): AsyncIterable<PeerEvent> =>
    readEvents(frames, sequencesEvents);
  return {
    binding,
    version,
    send: async (request, options = {}) =>
      readSendResponse(await wire.call('sendMessage', { ...request, ...scope }, options)),
    stream: (request, options = {}) =>
      events(wire.stream('sendStreamingMessage', { ...request, ...scope }, options)),
    subscribe: (request, options = {}) =>
      events(wire.stream('subscribeToTask', { ...request, ...scope }, options)),
    get: async (request, options = {}) =>
      readTask(await wire.call('getTask', { ...request, ...scope }, options)),
    list: async (request, options = {}) =>
      readTaskList(await wire.call('listTasks', { ...request, ...scope }, options)),
    cancel: async (request, options = {}) =>
      readTask(await wire.call('cancelTask', { ...request, ...scope }, options)),
    extendedCard: async (options = {}) =>
      readAgentCard(await wire.call('getExtendedAgentCard', scope, options)),
    close: () => wire.close(),
  };
}

async function* readEvents(
  frames: AsyncIterable<WireFrame>,
  sequencesEvents: boolean,
): AsyncGenerator<PeerEvent> {
  for await (const { json, id } of frames) {
    const event = readStreamResponse(json);
    const sequence = includedSequence(event) ?? (sequencesEvents ? sequenceOf(id) : undefined);
    yield sequence === undefined ? { event } : { event, sequence };
  }
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
