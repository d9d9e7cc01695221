import { BINDINGS, VERSIONS, type Wire } from '../support/drivers/driver.ts';

/** Where a promise holds: on a binding and version, or on the card. */
export type Surface = Wire | 'CARD';

export interface Requirement {
  /** The section of the A2A specification, or our own page that makes the promise. */
  section: string;
  text: string;
  appliesTo: readonly Surface[];
}

export const EVERYWHERE: readonly Wire[] = VERSIONS.flatMap((version) =>
  BINDINGS.map((binding): Wire => `${binding} ${version}`),
);
const V1: readonly Wire[] = ['JSONRPC 1.0', 'HTTP+JSON 1.0', 'GRPC 1.0'];
const HTTP: readonly Wire[] = ['JSONRPC 1.0', 'HTTP+JSON 1.0', 'JSONRPC 0.3', 'HTTP+JSON 0.3'];
const HTTP_V1: readonly Wire[] = ['JSONRPC 1.0', 'HTTP+JSON 1.0'];
/** The 0.3 protobuf cannot distinguish 0 from absent. */
const KNOWS_ZERO: readonly Wire[] = [...V1, 'JSONRPC 0.3', 'HTTP+JSON 0.3'];
const CARD: readonly Surface[] = ['CARD'];

/**
 * What Holdword promises to clients, one line each. Scenarios cite the ids and run on every surface named here. The
 * gate fails if one is not covered.
 */
export const REQUIREMENTS = {
  // Sending a message
  'SEND-TASK': {
    section: '3.1.1',
    text: 'A message to an agent that works on it returns the task.',
    appliesTo: EVERYWHERE,
  },
  'SEND-BLOCKING-DEFAULT': {
    section: '3.2.2',
    text: 'Without returnImmediately, the response comes when the task is terminal, with its artifacts.',
    appliesTo: EVERYWHERE,
  },
  'SEND-BLOCKING-INPUT-REQUIRED': {
    section: '3.2.2',
    text: 'A blocking send returns when the task needs input.',
    appliesTo: EVERYWHERE,
  },
  'SEND-BLOCKING-AUTH-REQUIRED': {
    section: '3.2.2',
    text: 'A blocking send returns when the task needs authorization.',
    appliesTo: EVERYWHERE,
  },
  'SEND-RETURN-IMMEDIATELY': {
    section: '3.2.2',
    text: 'With returnImmediately (0.3: blocking false), the response comes while the task is still running.',
    appliesTo: EVERYWHERE,
  },
  'SEND-DIRECT-MESSAGE': {
    section: '3.1.1',
    text: 'An agent may answer with a message and no task.',
    appliesTo: EVERYWHERE,
  },
  'SEND-OUTCOMES': {
    section: '4.1.3',
    text: 'Completed, failed and rejected are responses with a task, not errors.',
    appliesTo: EVERYWHERE,
  },
  'SEND-CONTEXT-GENERATED': {
    section: '3.4.1',
    text: 'Without a contextId, the server creates one and returns it, with a task or a message.',
    appliesTo: EVERYWHERE,
  },
  'SEND-CONTEXT-KEPT': {
    section: '3.4.1',
    text: "A client's contextId is kept, and a new task in it sees the messages of the earlier ones.",
    appliesTo: EVERYWHERE,
  },
  'SEND-CONTEXT-INFERRED': {
    section: '3.4.2',
    text: 'With only a taskId, the contextId is taken from the task.',
    appliesTo: EVERYWHERE,
  },
  'SEND-CONTEXT-MISMATCH': {
    section: '3.4.2',
    text: 'A contextId that differs from that of the task is rejected.',
    appliesTo: EVERYWHERE,
  },
  'SEND-FOLLOW-UP': {
    section: '3.4.2',
    text: 'A message with the taskId of a task that needs input continues that task.',
    appliesTo: EVERYWHERE,
  },
  'SEND-UNKNOWN-TASK': {
    section: '3.4.2',
    text: 'A taskId that does not exist is TaskNotFound: clients do not create task ids.',
    appliesTo: EVERYWHERE,
  },
  'SEND-TERMINAL-TASK': {
    section: '3.1.1',
    text: 'A message to a terminal task is UnsupportedOperation.',
    appliesTo: EVERYWHERE,
  },
  'SEND-CONTENT-TYPE': {
    section: '3.1.1',
    text: 'A part with a media type that the agent does not accept is ContentTypeNotSupported.',
    appliesTo: EVERYWHERE,
  },
  'SEND-HISTORY-LENGTH': {
    section: '3.2.4',
    text: 'configuration.historyLength limits the history in the response.',
    // The SDK's 0.3 gRPC service drops this field.
    appliesTo: [...V1, 'JSONRPC 0.3', 'HTTP+JSON 0.3'],
  },
  'SEND-AUTH-REQUIRED-MESSAGE': {
    section: '7.6.1',
    text: 'A task that needs authorization says what it needs in its status message.',
    appliesTo: EVERYWHERE,
  },
  'SEND-REPEATED-MESSAGE-ID': {
    section: '3.3.1',
    text: 'A plain client may send the same messageId again and gets a new task.',
    appliesTo: EVERYWHERE,
  },

  // Streaming
  'STREAM-TASK-FIRST': {
    section: '3.1.2',
    text: 'A task stream starts with the Task.',
    appliesTo: EVERYWHERE,
  },
  'STREAM-EVENTS': {
    section: '3.1.2',
    text: 'Status and artifact updates follow in the order in which they were made, with append and lastChunk.',
    appliesTo: EVERYWHERE,
  },
  'STREAM-LIVE': {
    section: '3.1.2',
    text: 'Events arrive while the task runs, not at its end.',
    appliesTo: EVERYWHERE,
  },
  'STREAM-ENDS-TERMINAL': {
    section: '3.1.2',
    text: 'The stream closes when the task is terminal.',
    appliesTo: EVERYWHERE,
  },
  'STREAM-ENDS-INPUT-REQUIRED': {
    section: '11.7',
    text: 'A send stream closes when the task needs input.',
    appliesTo: EVERYWHERE,
  },
  'STREAM-OPEN-AUTH-REQUIRED': {
    section: '7.6.1',
    text: 'A stream stays open while the task needs authorization.',
    appliesTo: EVERYWHERE,
  },
  'STREAM-MESSAGE-ONLY': {
    section: '3.1.2',
    text: 'A direct answer is a stream of exactly one Message.',
    appliesTo: EVERYWHERE,
  },
  'STREAM-REFUSED': {
    section: '3.1.2',
    text: 'A stream that cannot start fails with the same errors as a send.',
    appliesTo: EVERYWHERE,
  },
  'STREAM-SAME-EVENTS': {
    section: '3.5.2',
    text: 'All streams of a task get the same events in the same order.',
    appliesTo: EVERYWHERE,
  },
  'STREAM-CLOSE-INDEPENDENT': {
    section: '3.5.2',
    text: 'Closing one stream affects neither the other streams nor the task.',
    appliesTo: EVERYWHERE,
  },
  'STREAM-SSE': {
    section: '9.4.2, 11.7',
    text: 'Over HTTP, a stream is text/event-stream, one JSON value per frame, never cached.',
    appliesTo: HTTP,
  },

  // Getting a task
  'GET-TASK': {
    section: '3.1.3',
    text: 'GetTask returns the current status, artifacts and history of the task.',
    appliesTo: EVERYWHERE,
  },
  'GET-HISTORY-UNSET': {
    section: '3.2.4',
    text: 'Without historyLength, the whole history is returned.',
    appliesTo: EVERYWHERE,
  },
  'GET-HISTORY-ZERO': {
    section: '3.2.4',
    text: 'historyLength 0 omits the history.',
    appliesTo: KNOWS_ZERO,
  },
  'GET-HISTORY-LIMIT': {
    section: '3.2.4',
    text: 'historyLength n returns at most the n most recent messages.',
    appliesTo: EVERYWHERE,
  },
  'GET-UNKNOWN': { section: '3.1.3', text: 'An unknown task is TaskNotFound.', appliesTo: EVERYWHERE },

  // Listing tasks
  'LIST-FIELDS': {
    section: '3.1.4',
    text: 'The response always has tasks, nextPageToken, pageSize and totalSize; the last page has the token "".',
    appliesTo: V1,
  },
  'LIST-PAGE-SIZE-DEFAULT': { section: '3.1.4', text: 'A page has 50 tasks by default.', appliesTo: V1 },
  'LIST-PAGE-SIZE-RANGE': {
    section: '3.1.4',
    text: 'pageSize is 1 to 100; anything else is rejected.',
    appliesTo: V1,
  },
  'LIST-ORDER': {
    section: '3.1.4',
    text: 'Tasks are sorted by the time of their status, newest first.',
    appliesTo: V1,
  },
  'LIST-CURSOR': {
    section: '3.1.4',
    text: 'Following nextPageToken returns every task exactly once.',
    appliesTo: V1,
  },
  'LIST-CURSOR-MOVING': {
    section: '3.1.4',
    text: 'A cursor stays exact when tasks move or appear between two pages.',
    appliesTo: V1,
  },
  'LIST-CURSOR-INVALID': {
    section: '3.1.4',
    text: 'A pageToken that the server did not create is rejected.',
    appliesTo: V1,
  },
  'LIST-FILTER-CONTEXT': { section: '3.1.4', text: 'contextId selects one context.', appliesTo: V1 },
  'LIST-FILTER-STATUS': { section: '3.1.4', text: 'status selects one state.', appliesTo: V1 },
  'LIST-FILTER-TIME': {
    section: '3.1.4',
    text: 'statusTimestampAfter selects tasks whose status has that time or a later one.',
    appliesTo: V1,
  },
  'LIST-ARTIFACTS-ABSENT': {
    section: '3.1.4',
    text: 'Without includeArtifacts, the field is absent, not empty.',
    appliesTo: V1,
  },
  'LIST-ARTIFACTS-INCLUDED': {
    section: '3.1.4',
    text: 'includeArtifacts returns the artifacts.',
    appliesTo: V1,
  },
  'LIST-HISTORY-LENGTH': {
    section: '3.2.4',
    text: 'historyLength n returns the n most recent messages of each task; 0 returns none.',
    appliesTo: V1,
  },
  'LIST-ABSENT-V03': {
    section: '3.1.4',
    text: '0.3 has no ListTasks: its method is not found.',
    appliesTo: ['JSONRPC 0.3', 'HTTP+JSON 0.3'],
  },

  // Canceling
  'CANCEL-TASK': {
    section: '3.1.5',
    text: 'A running task is canceled: the agent is told, and this and every later response says CANCELED.',
    appliesTo: EVERYWHERE,
  },
  'CANCEL-INTERRUPTED': {
    section: '3.1.5',
    text: 'A task that waits for input can be canceled.',
    appliesTo: EVERYWHERE,
  },
  'CANCEL-ENDS-STREAMS': {
    section: '3.1.5',
    text: 'Streams of a canceled task show CANCELED and close.',
    appliesTo: EVERYWHERE,
  },
  'CANCEL-TERMINAL': {
    section: '3.1.5',
    text: 'A task that ended differently is TaskNotCancelable.',
    appliesTo: EVERYWHERE,
  },
  'CANCEL-IDEMPOTENT': {
    section: '3.3.1',
    text: 'Canceling again changes nothing.',
    appliesTo: EVERYWHERE,
  },
  'CANCEL-UNKNOWN': { section: '3.1.5', text: 'An unknown task is TaskNotFound.', appliesTo: EVERYWHERE },

  // Subscribing
  'SUBSCRIBE-TASK-FIRST': {
    section: '3.1.6',
    text: 'A subscription starts with the current Task.',
    appliesTo: EVERYWHERE,
  },
  'SUBSCRIBE-UPDATES': {
    section: '3.1.6',
    text: 'The updates after that Task follow, with none missing and none repeated.',
    appliesTo: EVERYWHERE,
  },
  'SUBSCRIBE-ENDS-TERMINAL': {
    section: '3.1.6',
    text: 'A subscription ends when the task is terminal.',
    appliesTo: EVERYWHERE,
  },
  'SUBSCRIBE-OPEN-INTERRUPTED': {
    section: '3.1.6',
    text: 'A subscription stays open while the task needs input, and shows the following turns.',
    appliesTo: EVERYWHERE,
  },
  'SUBSCRIBE-TERMINAL': {
    section: '3.1.6',
    text: 'Subscribing to a terminal task is UnsupportedOperation.',
    appliesTo: EVERYWHERE,
  },
  'SUBSCRIBE-UNKNOWN': {
    section: '3.1.6',
    text: 'An unknown task is TaskNotFound.',
    appliesTo: EVERYWHERE,
  },
  'SUBSCRIBE-VERBS': {
    section: '11.3.2',
    text: 'REST subscribes with GET and with POST.',
    appliesTo: ['HTTP+JSON 1.0', 'HTTP+JSON 0.3'],
  },

  // Push notifications
  'PUSH-CREATE': {
    section: '3.1.7',
    text: 'A push config is created for a task and returned with its task and id, even for a host that does not resolve.',
    appliesTo: EVERYWHERE,
  },
  'PUSH-CREATE-ID': {
    section: '3.1.7',
    text: 'A config without an id gets one.',
    appliesTo: EVERYWHERE,
  },
  'PUSH-CREATE-ENDED': {
    section: '3.1.7',
    text: 'A config can be created for a task that has ended.',
    appliesTo: EVERYWHERE,
  },
  'PUSH-GET': { section: '3.1.8', text: 'A config is read by task and id.', appliesTo: EVERYWHERE },
  'PUSH-GET-UNKNOWN': {
    section: '3.1.8',
    text: 'Reading a config that does not exist is an error.',
    appliesTo: EVERYWHERE,
  },
  'PUSH-LIST': { section: '3.1.9', text: 'All configs of a task are listed.', appliesTo: EVERYWHERE },
  'PUSH-LIST-PAGES': {
    section: '3.1.9',
    text: 'Configs are listed in pages; the last page has an empty token.',
    appliesTo: V1,
  },
  'PUSH-DELETE': { section: '3.1.10', text: 'A deleted config no longer exists.', appliesTo: EVERYWHERE },
  'PUSH-DELETE-IDEMPOTENT': {
    section: '3.1.10',
    text: 'Deleting a config again is not an error.',
    appliesTo: EVERYWHERE,
  },
  'PUSH-SECRETS': {
    section: 'docs/guides/push-notifications.md',
    text: 'Tokens and credentials of a config are never returned.',
    appliesTo: EVERYWHERE,
  },
  'PUSH-FORBIDDEN-URL': {
    section: '13.2',
    text: 'A config whose URL resolves to a private address is rejected, with the field and the reason.',
    appliesTo: EVERYWHERE,
  },
  'PUSH-SEND': {
    section: '3.2.2',
    text: 'A config with a send delivers every event of the new task, from the first one, in order.',
    appliesTo: EVERYWHERE,
  },
  'PUSH-STREAM': {
    section: '3.2.2',
    text: 'A config with a streaming send delivers the same events as the stream.',
    appliesTo: EVERYWHERE,
  },
  'PUSH-PAYLOAD': {
    section: '4.3.3',
    text: 'A notification is one StreamResponse; a 0.3 client gets a 0.3 event.',
    appliesTo: EVERYWHERE,
  },
  'PUSH-LATER-EVENTS': {
    section: '4.3.3',
    text: 'A config created while a task is running delivers what is committed from then on.',
    appliesTo: EVERYWHERE,
  },
  'PUSH-NEXT-TURN': {
    section: '3.2.2',
    text: 'A config with a message to a waiting task delivers the events of that turn.',
    appliesTo: EVERYWHERE,
  },
  'PUSH-CREDENTIALS': {
    section: '4.3.3',
    text: 'A notification carries the credentials and the token of its config in headers.',
    appliesTo: EVERYWHERE,
  },
  'PUSH-SIGNED': {
    section: 'docs/guides/push-notifications.md',
    text: 'A notification is signed and can be verified with the keys that the server publishes.',
    appliesTo: EVERYWHERE,
  },
  'PUSH-DIRECT-MESSAGE': {
    section: 'docs/guides/push-notifications.md',
    text: 'A message with a config is answered with a task, even if the agent could answer without one.',
    appliesTo: ['JSONRPC 1.0'],
  },
  'PUSH-OFF-CARD': {
    section: '4.4.3',
    text: 'While push notifications are off, the card says so.',
    appliesTo: CARD,
  },
  'PUSH-OFF-CREATE': {
    section: '3.3.4',
    text: 'While the card declares no push, creating a config is PushNotificationNotSupported.',
    appliesTo: EVERYWHERE,
  },
  'PUSH-OFF-GET': { section: '3.3.4', text: 'So is reading one.', appliesTo: EVERYWHERE },
  'PUSH-OFF-LIST': { section: '3.3.4', text: 'So is listing them.', appliesTo: EVERYWHERE },
  'PUSH-OFF-DELETE': { section: '3.3.4', text: 'So is deleting one.', appliesTo: EVERYWHERE },
  'PUSH-OFF-SEND': {
    section: '3.3.4',
    text: 'So is a send with a config.',
    appliesTo: EVERYWHERE,
  },

  // The card
  'CARD-WELL-KNOWN': {
    section: '8.2',
    text: 'The card is at /.well-known/agent-card.json, readable without credentials and version header.',
    appliesTo: CARD,
  },
  'CARD-VALID': {
    section: '4.4.1',
    text: 'The card has every REQUIRED field of A2A 1.0 and no unknown field.',
    appliesTo: CARD,
  },
  'CARD-INTERFACES': {
    section: '4.4.6',
    text: 'Every binding and version is listed with its real URL; gRPC as host:port.',
    appliesTo: CARD,
  },
  'CARD-CAPABILITIES': {
    section: '4.4.3',
    text: 'Capabilities say what the server supports: streaming and push.',
    appliesTo: CARD,
  },
  'CARD-EXTENSIONS': {
    section: '4.6',
    text: 'Both of our extensions are declared, and neither is required.',
    appliesTo: CARD,
  },
  'CARD-SECURITY': {
    section: '4.5',
    text: 'The security schemes are on the card in ProtoJSON form.',
    appliesTo: CARD,
  },
  'CARD-CACHING': {
    section: '8.6',
    text: 'The card has Cache-Control, ETag and Last-Modified; an unchanged card is 304.',
    appliesTo: CARD,
  },
  'CARD-SIGNATURE': {
    section: '8.4',
    text: 'A signed card verifies over its RFC 8785 form, and fails if a byte changed.',
    appliesTo: CARD,
  },
  'CARD-V03': {
    section: '0.3: 5.3',
    text: 'A 0.3 client finds its card at /.well-known/agent-card.json and at /.well-known/agent.json.',
    appliesTo: CARD,
  },

  // Extensions of the agent
  'EXTENSION-REQUIRED': {
    section: '3.3.4',
    text: 'A request that does not declare an extension that the card requires gets ExtensionSupportRequiredError.',
    appliesTo: EVERYWHERE,
  },
  'EXTENSION-DECLARED': {
    section: '4.6',
    text: 'The extensions that the agent declares are on its card.',
    appliesTo: CARD,
  },

  // The extended card
  'EXTENDED-CARD': {
    section: '3.1.11',
    text: 'An authenticated caller gets the extended card.',
    appliesTo: EVERYWHERE,
  },
  'EXTENDED-CARD-AUTHENTICATION': {
    section: '13.3',
    text: 'The extended card requires authentication.',
    appliesTo: EVERYWHERE,
  },
  'EXTENDED-CARD-UNDECLARED': {
    section: '3.3.4',
    text: 'If the card declares none, requesting it is UnsupportedOperation.',
    appliesTo: EVERYWHERE,
  },
  'EXTENDED-CARD-NOT-CONFIGURED': {
    section: '3.3.4',
    text: 'If the card declares one and there is none, requesting it is ExtendedAgentCardNotConfigured.',
    appliesTo: EVERYWHERE,
  },

  // The data model
  'MODEL-PROTOJSON': {
    section: '5.5',
    text: 'JSON is ProtoJSON: camelCase, enums by name, no kind, and exactly one payload per frame.',
    appliesTo: HTTP_V1,
  },
  'MODEL-V03-JSON': {
    section: '0.3: 6',
    text: '0.3 JSON has kind discriminators and lower-case states; the last status update is final.',
    appliesTo: ['JSONRPC 0.3'],
  },
  'MODEL-TIMESTAMPS': {
    section: '5.6.1',
    text: 'Timestamps are UTC with milliseconds and Z.',
    appliesTo: EVERYWHERE,
  },
  'MODEL-PARTS': {
    section: '4.1.6',
    text: 'Text, raw, url and data parts are carried unchanged in both directions.',
    appliesTo: EVERYWHERE,
  },
  'MODEL-UNICODE': {
    section: '4.1.6',
    text: 'Any text is carried unchanged: line breaks, quotes, emoji, U+2028.',
    appliesTo: EVERYWHERE,
  },
  'MODEL-METADATA': {
    section: '3.2.5',
    text: 'The metadata of a message is kept in the history.',
    appliesTo: EVERYWHERE,
  },
  'MODEL-ARTIFACT-PARTS': {
    section: '4.1.7',
    text: 'An artifact without parts never reaches a client; the task of an agent that creates one fails.',
    appliesTo: EVERYWHERE,
  },
  'MODEL-IDS': {
    section: '4.1.1',
    text: 'Task ids are plain strings created by the server, and unique.',
    appliesTo: EVERYWHERE,
  },
  'MODEL-EQUIVALENT': {
    section: '5.1',
    text: 'All bindings show the same task.',
    appliesTo: EVERYWHERE,
  },

  // Tenants
  'TENANT-SCOPE': {
    section: '3.2.1',
    text: 'A task of one tenant does not exist for another, in every operation.',
    appliesTo: V1,
  },
  'TENANT-PATH': {
    section: '11.3',
    text: 'REST reads the tenant from the path or the body; both must agree.',
    appliesTo: ['HTTP+JSON 1.0'],
  },

  // Versions and extensions
  'VERSION-MISSING': {
    section: '3.6.2',
    text: 'A missing or empty A2A-Version means 0.3.',
    appliesTo: ['JSONRPC 0.3', 'HTTP+JSON 0.3', 'JSONRPC 1.0', 'HTTP+JSON 1.0'],
  },
  'VERSION-UNSUPPORTED': {
    section: '3.6.2',
    text: 'An unsupported version is VersionNotSupported, with the supported ones.',
    appliesTo: V1,
  },
  'VERSION-PATCH': { section: '3.6', text: 'A patch number is ignored.', appliesTo: V1 },
  'VERSION-QUERY': {
    section: '3.6.1',
    text: 'The version may be a query parameter.',
    appliesTo: HTTP_V1,
  },
  'EXTENSIONS-UNKNOWN': {
    section: '4.6',
    text: 'An unknown extension is ignored.',
    appliesTo: EVERYWHERE,
  },
  'EXTENSIONS-ACTIVATED': {
    section: '4.6',
    text: 'The response names the active extensions.',
    appliesTo: HTTP_V1,
  },

  // Errors
  'ERROR-CODES': {
    section: '5.4',
    text: 'Each error has its code from the table on each binding.',
    appliesTo: EVERYWHERE,
  },
  'ERROR-INFO': {
    section: '9.5, 10.6, 11.6',
    text: 'Each error carries google.rpc.ErrorInfo with its reason and the domain.',
    appliesTo: V1,
  },
  'ERROR-HTTP-BODY': {
    section: '11.6',
    text: 'A REST error is {"error":{code,status,message,details}} with the code as HTTP status.',
    appliesTo: ['HTTP+JSON 1.0'],
  },
  'ERROR-FIELDS': {
    section: '3.3.2',
    text: 'A rejected request names the invalid fields.',
    appliesTo: V1,
  },
  'ERROR-NO-LEAK': {
    section: '13.2',
    text: 'A failure inside an agent shows neither a stack nor a path to the caller.',
    appliesTo: EVERYWHERE,
  },
  'ERROR-PARSE': {
    section: '9.5',
    text: 'A body that is not JSON is -32700 on JSON-RPC and 400 on REST.',
    appliesTo: HTTP,
  },
  'ERROR-ENVELOPE': {
    section: '9.5',
    text: 'A body that is not a JSON-RPC 2.0 request is -32600, and so is a batch.',
    appliesTo: ['JSONRPC 1.0', 'JSONRPC 0.3'],
  },
  'ERROR-METHOD': {
    section: '9.5',
    text: 'An unknown method is -32601; for a method of the other version, the error names the header to send.',
    appliesTo: ['JSONRPC 1.0', 'JSONRPC 0.3'],
  },
  'ERROR-ROUTE': {
    section: '11.6',
    text: 'An unknown path is a JSON 404, a wrong method a 405 with Allow.',
    appliesTo: ['HTTP+JSON 1.0'],
  },

  // Validation
  'VALID-MESSAGE': { section: '3.2.1', text: 'A send without a message is rejected.', appliesTo: EVERYWHERE },
  'VALID-MESSAGE-ID': {
    section: '4.1.4',
    text: 'A message without messageId is rejected.',
    appliesTo: EVERYWHERE,
  },
  'VALID-ROLE': {
    section: '4.1.4',
    text: 'A message without a role, or with an unknown one, is rejected.',
    appliesTo: EVERYWHERE,
  },
  'VALID-PARTS': {
    section: '4.1.4',
    text: 'A message without parts is rejected.',
    appliesTo: EVERYWHERE,
  },
  'VALID-DEPTH': {
    section: '3.3.2',
    text: 'JSON that is nested too deeply for protobuf parsers is rejected.',
    appliesTo: ['JSONRPC 1.0', 'HTTP+JSON 1.0', 'JSONRPC 0.3', 'HTTP+JSON 0.3'],
  },
  'VALID-UTF8': {
    section: '3.3.2',
    text: 'A body that is not UTF-8 is rejected.',
    appliesTo: ['JSONRPC 1.0', 'HTTP+JSON 1.0', 'JSONRPC 0.3', 'HTTP+JSON 0.3'],
  },
  'VALID-PART': {
    section: '4.1.6',
    text: 'A part without content is rejected.',
    appliesTo: EVERYWHERE,
  },
  'VALID-PART-SEVERAL': {
    section: '4.1.6',
    text: 'A part with several contents is rejected.',
    appliesTo: HTTP_V1,
  },
  'VALID-RAW': { section: '4.1.6', text: 'raw that is not base64 is rejected.', appliesTo: HTTP_V1 },
  'VALID-TYPES': {
    section: '3.3.2',
    text: 'A field with the wrong JSON type is rejected.',
    appliesTo: HTTP_V1,
  },
  'VALID-HISTORY-LENGTH': {
    section: '3.2.4',
    text: 'A negative historyLength is rejected.',
    appliesTo: EVERYWHERE,
  },
  'VALID-QUERY': {
    section: '11.5',
    text: 'Query parameters are camelCase; numbers, booleans, states and times must be well formed.',
    appliesTo: ['HTTP+JSON 1.0'],
  },

  // Callers
  'AUTH-REQUIRED': {
    section: '7.3',
    text: 'Without valid credentials every operation is rejected, with a challenge over HTTP.',
    appliesTo: EVERYWHERE,
  },
  'AUTH-BEFORE-LOOKUP': {
    section: '13.1',
    text: 'Credentials are checked before anything is looked up.',
    appliesTo: EVERYWHERE,
  },
  'AUTH-LAPSED': {
    section: 'docs/guides/authentication.md',
    text: 'An open stream ends with an error when its credential is no longer valid.',
    appliesTo: EVERYWHERE,
  },
  'OWNER-GET': { section: '13.1', text: "GetTask does not see another owner's task.", appliesTo: EVERYWHERE },
  'OWNER-LIST': { section: '13.1', text: 'Nor does ListTasks.', appliesTo: V1 },
  'OWNER-CANCEL': { section: '13.1', text: 'Nor does CancelTask.', appliesTo: EVERYWHERE },
  'OWNER-SUBSCRIBE': { section: '13.1', text: 'Nor does SubscribeToTask.', appliesTo: EVERYWHERE },
  'OWNER-SEND': { section: '13.1', text: 'Nor does a send to its taskId.', appliesTo: EVERYWHERE },
  'OWNER-STREAM': { section: '13.1', text: 'Nor does a streaming send to it.', appliesTo: EVERYWHERE },
  'OWNER-FORK': { section: '13.1', text: 'Nor does a message that forks it.', appliesTo: EVERYWHERE },
  'OWNER-CONTEXT': {
    section: '13.1',
    text: 'The same contextId of another owner is a different context.',
    appliesTo: EVERYWHERE,
  },
  'OWNER-PUSH': {
    section: '13.1',
    text: "Push config operations on another owner's task respond as for a task that does not exist.",
    appliesTo: EVERYWHERE,
  },
  'OWNER-IDEMPOTENCY': {
    section: 'docs/reference/extensions/idempotency.md',
    text: "Another owner's idempotency key is a different key.",
    appliesTo: EVERYWHERE,
  },

  // Capacity
  'CONTEXT-ONE-TURN': {
    section: 'docs/concepts/architecture.md J10',
    text: 'Two turns of one context never run at the same time; those of other contexts do.',
    appliesTo: EVERYWHERE,
  },
  'CAPACITY-REFUSED': {
    section: 'docs/concepts/architecture.md J10',
    text: 'When all slots are taken, a send is rejected with the time to retry.',
    appliesTo: EVERYWHERE,
  },
  'LIMIT-RATE': {
    section: 'docs/guides/operate.md',
    text: 'A caller that exceeds its rate limit is rejected, and told how long to wait.',
    appliesTo: EVERYWHERE,
  },
  'LIMIT-STREAMS': {
    section: 'docs/guides/operate.md',
    text: 'A caller with too many streams gets no further one, before any work has started.',
    appliesTo: EVERYWHERE,
  },
  'LIMIT-EVENT-SIZE': {
    section: 'docs/guides/operate.md',
    text: 'An agent that writes an event that is too large fails its task, with the reason.',
    appliesTo: EVERYWHERE,
  },

  // Idempotency (urn:holdword:a2a:idempotency:v1)
  'IDEMPOTENCY-ONE-TASK': {
    section: 'docs/reference/extensions/idempotency.md',
    text: 'The same message sent many times at once with one key creates one task.',
    appliesTo: EVERYWHERE,
  },
  'IDEMPOTENCY-CONFLICT': {
    section: 'docs/reference/extensions/idempotency.md',
    text: 'A different payload with the same key is a conflict.',
    appliesTo: EVERYWHERE,
  },
  'IDEMPOTENCY-MESSAGE-ID': {
    section: 'docs/reference/extensions/idempotency.md',
    text: 'If a client declares the extension, its messageId is the key.',
    appliesTo: EVERYWHERE,
  },

  // Fork (urn:holdword:a2a:fork:v1)
  'FORK-NEW-TASK': {
    section: 'docs/reference/extensions/fork.md',
    text: 'A message that forks a task starts a new one, with the history and the artifacts up to an event of the other.',
    appliesTo: EVERYWHERE,
  },
  'FORK-UNTOUCHED': {
    section: 'docs/reference/extensions/fork.md',
    text: 'The forked task stays as it is.',
    appliesTo: EVERYWHERE,
  },
  'FORK-WAITS': {
    section: 'docs/reference/extensions/fork.md',
    text: 'Without a start, the new task waits for its user, and the message is not part of it.',
    appliesTo: EVERYWHERE,
  },
  'FORK-ONCE': {
    section: 'docs/reference/extensions/fork.md',
    text: 'A fork that is sent many times with one key creates one task.',
    appliesTo: EVERYWHERE,
  },
  'FORK-AT-REST': {
    section: 'docs/reference/extensions/fork.md',
    text: 'A task can be forked only where it waited for its user or had ended.',
    appliesTo: EVERYWHERE,
  },

  // Resume (urn:holdword:a2a:resume:v1)
  'RESUME-SSE-ID': {
    section: 'docs/reference/extensions/resume.md',
    text: 'Frames of committed events have their sequence number as SSE id, without gaps.',
    appliesTo: HTTP,
  },
  'RESUME-STAMP': {
    section: 'docs/reference/extensions/resume.md',
    text: 'Events include their sequence number in metadata.',
    appliesTo: EVERYWHERE,
  },
  'RESUME-CURSOR': {
    section: 'docs/reference/extensions/resume.md',
    text: 'A client that reconnects with the last number gets exactly the events after it, then live ones.',
    appliesTo: V1,
  },
  'RESUME-TERMINAL': {
    section: 'docs/reference/extensions/resume.md',
    text: 'A client that declares the extension can replay a terminal task.',
    appliesTo: V1,
  },

  // The HTTP layer
  'HTTP-CONTENT-TYPE': {
    section: '11.2',
    text: 'REST responds with application/a2a+json, JSON-RPC with application/json.',
    appliesTo: HTTP_V1,
  },
  'HTTP-BODY-LIMIT': {
    section: '3.3.2',
    text: 'A body over the limit is an error of the binding, not an HTML page.',
    appliesTo: EVERYWHERE,
  },
  'JSONRPC-ID': {
    section: '9.1',
    text: 'The id of the request is returned unchanged, string or number.',
    appliesTo: ['JSONRPC 1.0', 'JSONRPC 0.3'],
  },
  'JSONRPC-TRAILING-SLASH': {
    section: '9.1',
    text: 'The endpoint also responds with a trailing slash.',
    appliesTo: ['JSONRPC 1.0', 'JSONRPC 0.3'],
  },
} as const satisfies Record<string, Requirement>;

export type RequirementId = keyof typeof REQUIREMENTS;
