import {
  openWire,
  OwnEvents,
  sameTask,
  type UnaryOperation,
  usableInterfaces,
  type UsableInterface,
  type WireFrame,
} from '@holdword/client/internal';
import { createGuardedClient, type GuardedClient } from '@holdword/net/internal';
import { A2AError, IDEMPOTENCY_EXTENSION, RESUME_EXTENSION } from '@holdword/protocol';
import {
  OWN_EXTENSIONS,
  shorten,
  type OperationRequest,
  type StreamingOperation,
} from '@holdword/protocol/internal';
import type { CommandInput } from '../command-line/command.ts';
import { UsageError } from '../usage-error.ts';
import { CallError } from './call-errors.ts';
import type { CallSettings } from './call-settings.ts';
import { credentialsFor, withNamedKey } from './credentials.ts';
import type { Diagnostics } from './diagnostics.ts';
import type { ReachedAgent } from './task-advice.ts';
import { shellWord } from './task-text.ts';
import { findCard, isSameHost, readReference, type CardReference, type FoundCard } from './find-card.ts';
import { tokenFor } from './oauth/token-for.ts';
import { readTls, withoutIdentity } from './tls.ts';
import { watchedClient } from './watched-client.ts';

const MOST_RESPONSE_BYTES = 64 * 1024 * 1024;
const CALL_TIMEOUT_MILLISECONDS = 60_000;
const FOREIGN_EVENT =
  'The agent sent an event of another task or context, which is left out. Report this to its operator.';

/**
 * The agent that a command calls. Responses are the JSON of the agent, not validated and with everything that it sent, because
 * programs get it unchanged. A task that is not the one asked for is an error, and events of other tasks are left out.
 */
export interface CalledAgent extends ReachedAgent {
  readonly found: FoundCard;
  /** Where it is called. */
  readonly origin: string;
  readonly streams: boolean;
  readonly resumes: boolean;
  /** It does a message only once, however often it is sent. */
  readonly recognizesMessages: boolean;
  call<Name extends UnaryOperation>(
    operation: Name,
    request: OperationRequest<Name>,
    signal?: AbortSignal,
  ): Promise<unknown>;
  stream<Name extends StreamingOperation>(
    operation: Name,
    request: OperationRequest<Name>,
    options?: { signal?: AbortSignal; resumeAfter?: number },
  ): AsyncIterable<WireFrame>;
}

/** The card of the agent that the settings name. */
export interface NamedCard {
  readonly found: FoundCard;
  readonly named: CardReference;
  readonly reference: string;
}

/** What a command is told of the machine it runs on. */
type Surroundings = Pick<CommandInput, 'workingFolder' | 'environment'>;

/** The one place where `-a` becomes an agent. */
export async function findAgent(
  settings: CallSettings,
  { workingFolder }: Pick<Surroundings, 'workingFolder'>,
  diagnostics: Diagnostics,
  signal: AbortSignal,
): Promise<NamedCard> {
  const reference = settings.text('agent-card');
  if (reference === undefined) {
    throw new UsageError(
      'Which agent? Name it with -a, such as -a localhost:4310, or set A2ACLI_AGENT_CARD.',
    );
  }
  const named = readReference(settings.named?.url ?? reference, workingFolder);
  const tls = await readTls(settings, workingFolder);
  if (tls?.rejectUnauthorized === false) {
    diagnostics.warn(
      '--insecure: certificates are not verified, so anybody in between can read and change everything.',
    );
  }
  const openClient = (trustedOrigins: readonly string[]): GuardedClient =>
    watchedClient(createGuardedClient({ trustedOrigins, tls }), diagnostics);
  return { found: await findCard(named, openClient, settings.version ?? '1.0', signal), named, reference };
}

/** Chooses an interface of the agent. Nothing is sent to it yet. A plain call uses no extension that the user did not name. */
export async function openAgent(
  { found, named, reference }: NamedCard,
  settings: CallSettings,
  diagnostics: Diagnostics,
  { workingFolder, environment }: Surroundings,
  signal: AbortSignal,
  { isPlain = false }: { isPlain?: boolean } = {},
): Promise<CalledAgent> {
  const chosen = chooseInterface(found, settings);
  diagnostics.note(`uses ${chosen.binding} of A2A ${chosen.version} at ${chosen.url}`);
  const trusted = isSameHost(new URL(chosen.origin), named);
  const tls = await readTls(settings, workingFolder);
  const login = trusted ? await tokenFor(agentKey({ found, named }), environment, tls, signal) : undefined;
  if (login?.warning !== undefined) diagnostics.warn(login.warning);
  const { headers, query, secrets, warnings } = credentialsFor(
    found.published,
    await withNamedKey(settings, found.published),
    login?.token,
  );
  diagnostics.hide([...secrets, ...secretParameters(settings)]);
  for (const warning of warnings) diagnostics.warn(warning);
  const hasCredentials =
    Object.keys(headers).length + Object.keys(query).length > 0 || tls?.cert !== undefined;
  if (hasCredentials && !trusted) {
    diagnostics.warn(`The credential was not sent: the card sends you to another host, ${chosen.origin}.`);
  }
  const sentCredentials = hasCredentials && trusted;
  if (sentCredentials && tls?.rejectUnauthorized === false) {
    diagnostics.warn(
      'A credential is sent over a connection that is not verified: anyone in between can read it.',
    );
  }
  if (Object.keys(query).length > 0 && chosen.binding === 'GRPC') {
    throw new CallError(
      'A2ACLI_ERR_CREDENTIALS_MISSING',
      'The agent takes its API key as a part of the address, which gRPC does not have.',
      'Use another binding: --transport jsonrpc.',
    );
  }
  const client = watchedClient(
    createGuardedClient({
      trustedOrigins: trusted ? [chosen.origin] : [],
      tls: trusted ? tls : withoutIdentity(tls),
    }),
    diagnostics,
    trusted ? query : {},
  );
  const declared = found.card.capabilities.extensions?.map(({ uri }) => uri) ?? [];
  const wire = await openWire(chosen.binding, {
    client,
    url: chosen.url,
    version: chosen.version,
    extensions: isPlain ? settings.all('extension') : extensionsFor(found, settings, diagnostics),
    headers: { ...serviceParameters(settings), ...(trusted && headers) },
    allowCallHeaders: false,
    maxResponseBytes: MOST_RESPONSE_BYTES,
    timeoutMilliseconds: CALL_TIMEOUT_MILLISECONDS,
  });
  const scope = chosen.tenant === undefined || chosen.tenant === '' ? {} : { tenant: chosen.tenant };
  let hasWarned = false;
  return {
    found,
    words: wordsFor(reference, settings),
    origin: chosen.origin,
    sentCredentials,
    streams: found.card.capabilities.streaming === true,
    resumes: declared.includes(RESUME_EXTENSION),
    recognizesMessages: declared.includes(IDEMPOTENCY_EXTENSION),
    async call(operation, request, abort) {
      diagnostics.note(`> ${operation} ${JSON.stringify(request)}`);
      const answer = await wire.call(
        operation,
        { ...request, ...scope },
        { ...(abort && { signal: abort }) },
      );
      diagnostics.note(`< ${operation} ${JSON.stringify(answer)}`);
      const isOfTask = operation === 'getTask' || operation === 'cancelTask';
      return isOfTask && 'id' in request ? sameTask(String(request.id), answer) : answer;
    },
    async *stream(operation, request, options = {}) {
      diagnostics.note(`> ${operation} ${JSON.stringify(request)}`);
      const own = new OwnEvents('id' in request ? request.id : undefined);
      for await (const frame of wire.stream(operation, { ...request, ...scope }, options)) {
        diagnostics.note(`< ${operation} ${JSON.stringify(frame.json)}`);
        if (own.accepts(frame.json)) yield frame;
        else if (!hasWarned) {
          hasWarned = true;
          diagnostics.warn(FOREIGN_EVENT);
        }
      }
    },
    [Symbol.dispose]() {
      wire.close();
      client.close();
    },
  };
}

/** What a login is kept under: the address of the card, or of the file with it. */
export function agentKey({ found, named }: Pick<NamedCard, 'found' | 'named'>): string {
  const address = found.url ?? ('file' in named ? named.file : named.url);
  return String(address);
}

/** Extensions that the agent has and this program knows, and those that the user vouches for. */
function extensionsFor({ card }: FoundCard, settings: CallSettings, diagnostics: Diagnostics): string[] {
  const given = settings.all('extension');
  const offered = card.capabilities.extensions ?? [];
  const known = OWN_EXTENSIONS.filter((own) => offered.some(({ uri }) => uri === own));
  const declared = [...new Set([...known, ...given])];
  for (const { uri, required } of offered) {
    if (required !== true || uri === undefined || declared.includes(uri)) continue;
    diagnostics.warn(
      `The agent requires the extension ${shorten(uri, 200)}. If you meet it, add --extension.`,
    );
  }
  return declared;
}

/** What was set by variables or files need not be repeated. Credentials are never shown. */
function wordsFor(reference: string, settings: CallSettings): string {
  const others = ['a2a-version', 'transport', 'config'].flatMap((name) =>
    settings.sourced(name).flatMap(({ value, source }) => (source === `--${name}` ? [source, value] : [])),
  );
  return ['-a', reference, ...others].map(shellWord).join(' ');
}

/** The first binding that the user prefers and the agent has; else the first of the card. */
function chooseInterface({ card }: FoundCard, settings: CallSettings): UsableInterface {
  const wanted = settings.version;
  const usable = usableInterfaces(card).filter(({ version }) =>
    wanted === undefined ? version !== '0.3' : version === wanted,
  );
  for (const binding of settings.transports) {
    const preferred = usable.find((each) => each.binding === binding);
    if (preferred !== undefined) return preferred;
  }
  const [first] = usable;
  if (first !== undefined) return first;
  if (usableInterfaces(card).length > 0) {
    throw new A2AError(
      'VERSION_NOT_SUPPORTED',
      `The agent has no interface of A2A ${wanted ?? '1.0 or newer'}.`,
    );
  }
  throw new CallError(
    'A2ACLI_ERR_INTERNAL',
    'The card lists no interface that can be used: JSONRPC, HTTP+JSON or GRPC of A2A 1.0 or 0.3.',
    'See its interfaces with holdword card get.',
  );
}

function serviceParameters(settings: CallSettings): Record<string, string> {
  return Object.fromEntries(
    settings.sourced('svc-param').map(({ value, source }) => {
      const colon = value.indexOf(':');
      if (colon < 1) throw new UsageError(`${source}: expected NAME:VALUE, found "${value}".`);
      return [value.slice(0, colon).trim(), value.slice(colon + 1).trim()];
    }),
  );
}

/** Values of parameters whose names say that they are secret. */
function secretParameters(settings: CallSettings): string[] {
  return Object.entries(serviceParameters(settings))
    .filter(([name]) => /auth|key|token|secret|cookie|password/i.test(name))
    .flatMap(([, value]) => [value, value.replace(/^\S+ /, '')]);
}
