import type { Binding, CaseName, Role, Run, Version } from './contract.ts';

/** Cases that fail and why. A case that is not listed must pass, and one that is listed must fail. */
export interface KnownFault {
  readonly peer: string;
  readonly role: Role;
  readonly version?: Version;
  readonly bindings?: readonly Binding[];
  readonly cases: readonly CaseName[];
  readonly words: string;
}

const PROTO_BINDINGS: readonly Binding[] = ['HTTP+JSON', 'GRPC'];

const DOUBLED_BASE64 =
  'puts the base64 text of a file into `file_with_bytes`, which is a field for bytes, and expects it there. Both sides see other bytes than were sent.';
const NO_FILE_NAMES = 'has no field for the name of a file in its proto of 0.3. The contents arrive.';
const HISTORY_OF_ZERO = 'takes a `historyLength` of 0 for none, and returns the whole history.';

export const KNOWN_FAULTS: readonly KnownFault[] = [
  {
    peer: 'python-1',
    role: 'client',
    version: '0.3',
    bindings: PROTO_BINDINGS,
    cases: ['receive-file'],
    words: DOUBLED_BASE64,
  },
  {
    peer: 'python-1',
    role: 'server',
    version: '0.3',
    bindings: PROTO_BINDINGS,
    cases: ['receive-file', 'send-file'],
    words: DOUBLED_BASE64,
  },
  {
    peer: 'python-1',
    role: 'server',
    version: '0.3',
    bindings: ['JSONRPC', 'HTTP+JSON'],
    cases: ['get'],
    words: HISTORY_OF_ZERO,
  },
  {
    peer: 'python-03',
    role: 'client',
    bindings: PROTO_BINDINGS,
    cases: ['receive-file'],
    words: DOUBLED_BASE64,
  },
  {
    peer: 'python-03',
    role: 'client',
    bindings: ['HTTP+JSON'],
    cases: ['extended-card'],
    words:
      'expects the JSON of JSON-RPC for `security` on the extended card over REST, where the other SDKs and the proto have `schemes`.',
  },
  {
    peer: 'python-03',
    role: 'server',
    bindings: PROTO_BINDINGS,
    cases: ['receive-file', 'send-file'],
    words: DOUBLED_BASE64,
  },
  {
    peer: 'python-03',
    role: 'server',
    bindings: ['JSONRPC', 'HTTP+JSON'],
    cases: ['get'],
    words: HISTORY_OF_ZERO,
  },
  {
    peer: 'python-03',
    role: 'server',
    cases: ['subscribe'],
    words: 'ends the streams of other subscribers when a task is canceled, without telling them.',
  },
  {
    peer: 'javascript-03',
    role: 'server',
    bindings: ['JSONRPC', 'HTTP+JSON'],
    cases: ['get'],
    words: HISTORY_OF_ZERO,
  },
  {
    peer: 'javascript-1',
    role: 'client',
    version: '0.3',
    bindings: PROTO_BINDINGS,
    cases: ['stream'],
    words: 'drops `append` of artifact updates when it reads the proto of 0.3.',
  },
  {
    peer: 'javascript-1',
    role: 'client',
    version: '0.3',
    bindings: PROTO_BINDINGS,
    cases: ['receive-file', 'send-file'],
    words: NO_FILE_NAMES,
  },
  {
    peer: 'javascript-1',
    role: 'server',
    version: '0.3',
    bindings: PROTO_BINDINGS,
    cases: ['receive-file', 'send-file'],
    words: NO_FILE_NAMES,
  },
  {
    peer: 'javascript-03',
    role: 'client',
    bindings: PROTO_BINDINGS,
    cases: ['stream'],
    words: 'drops `append` of artifact updates when it reads the proto.',
  },
  {
    peer: 'javascript-03',
    role: 'client',
    bindings: PROTO_BINDINGS,
    cases: ['receive-file', 'send-file'],
    words: NO_FILE_NAMES,
  },
  {
    peer: 'javascript-03',
    role: 'client',
    bindings: ['GRPC'],
    cases: ['error-message-to-ended', 'error-content-type'],
    words: 'has no classes for these errors over gRPC. The text of the error begins with their names.',
  },
  {
    peer: 'javascript-03',
    role: 'server',
    bindings: PROTO_BINDINGS,
    cases: ['receive-file', 'send-file'],
    words: NO_FILE_NAMES,
  },
  {
    peer: 'go',
    role: 'client',
    cases: ['extended-card', 'unauthenticated'],
    words:
      'cannot read the card of an agent that requires credentials: it expects a list in `securityRequirements.schemes`, where the proto has an object with `list`.',
  },
  {
    peer: 'go',
    role: 'client',
    version: '1.0',
    bindings: ['JSONRPC'],
    cases: ['error-subscribe-to-ended'],
    words:
      'ignores the error of a stream that does not begin, which comes as JSON and not as an event, and returns no event and no error.',
  },
  {
    peer: 'go',
    role: 'client',
    version: '1.0',
    bindings: ['GRPC'],
    cases: ['list'],
    words: 'sends a `page_size` of 0 if none is set, which A2A does not allow. Set one.',
  },
  {
    peer: 'go',
    role: 'client',
    version: '0.3',
    bindings: ['HTTP+JSON'],
    cases: ['receive-file'],
    words:
      'expects the JSON of JSON-RPC over REST of 0.3, where the other SDKs and the proto have `fileWithBytes`.',
  },
  {
    peer: 'go',
    role: 'client',
    version: '0.3',
    bindings: ['GRPC'],
    cases: ['receive-file'],
    words: DOUBLED_BASE64,
  },
  {
    peer: 'go',
    role: 'server',
    version: '1.0',
    cases: ['error-message-to-ended', 'error-subscribe-to-ended'],
    words: 'responds with other errors: invalid parameters, and a task that is not found.',
  },
  {
    peer: 'go',
    role: 'server',
    version: '0.3',
    bindings: PROTO_BINDINGS,
    cases: ['receive-file', 'send-file'],
    words: DOUBLED_BASE64,
  },
  {
    peer: 'java-03',
    role: 'client',
    bindings: ['HTTP+JSON'],
    cases: ['get'],
    words:
      'writes a blank into the address if the length of the history is given, and rejects that address itself.',
  },
  {
    peer: 'java-03',
    role: 'client',
    bindings: ['HTTP+JSON'],
    cases: ['receive-file'],
    words:
      'rejects the whole answer because of the name of a file, which its proto of 0.3 does not have. Holdword sends it for the clients that have it.',
  },
  {
    peer: 'java-03',
    role: 'client',
    bindings: ['GRPC'],
    cases: ['receive-file'],
    words: DOUBLED_BASE64,
  },
  {
    peer: 'java-03',
    role: 'client',
    bindings: PROTO_BINDINGS,
    cases: ['send-file'],
    words: NO_FILE_NAMES,
  },
  {
    peer: 'java-03',
    role: 'client',
    bindings: PROTO_BINDINGS,
    cases: ['error-content-type'],
    words: 'sends no media type with a file, so that there is nothing to refuse.',
  },
  {
    peer: 'java-03',
    role: 'client',
    bindings: ['HTTP+JSON'],
    cases: ['error-task-not-found', 'error-not-cancelable', 'error-message-to-ended'],
    words: 'recognizes errors by the names of its Java classes alone.',
  },
  {
    peer: 'java-03',
    role: 'client',
    bindings: PROTO_BINDINGS,
    cases: ['extended-card'],
    words: 'returns the public card without a request.',
  },
  {
    peer: 'java-03-server',
    role: 'server',
    bindings: ['JSONRPC', 'HTTP+JSON'],
    cases: ['get'],
    words: HISTORY_OF_ZERO,
  },
  {
    peer: 'java-03-server',
    role: 'server',
    bindings: ['HTTP+JSON'],
    cases: ['subscribe'],
    words:
      'has the subscription under POST alone. The proto of 0.3 says GET, which this server takes for a task whose id ends with `:subscribe`.',
  },
  {
    peer: 'java-03-server',
    role: 'server',
    bindings: PROTO_BINDINGS,
    cases: ['receive-file'],
    words: DOUBLED_BASE64,
  },
  {
    peer: 'java-03-server',
    role: 'server',
    bindings: ['HTTP+JSON'],
    cases: ['send-file'],
    words:
      'rejects the whole message because of the name of a file, which its proto of 0.3 does not have. Holdword sends it for the servers that have it.',
  },
  {
    peer: 'java-03-server',
    role: 'server',
    bindings: ['GRPC'],
    cases: ['send-file'],
    words:
      'reads the bytes of a file as text in UTF-8, so that those that are no text are lost, and sends neither name nor media type.',
  },
  {
    peer: 'go-cli',
    role: 'client',
    cases: ['extended-card'],
    words: 'cannot read the card of an agent that requires credentials, as the SDK that it is made of.',
  },
];

export function findFault(
  peer: string,
  { role, version, binding }: Pick<Run, 'role' | 'version' | 'binding'>,
  name: CaseName,
): KnownFault | undefined {
  return KNOWN_FAULTS.find(
    (fault) =>
      fault.peer === peer &&
      fault.role === role &&
      (fault.version === undefined || fault.version === version) &&
      (fault.bindings === undefined || fault.bindings.includes(binding)) &&
      fault.cases.includes(name),
  );
}
