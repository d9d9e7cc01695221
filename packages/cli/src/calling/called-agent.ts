import {
  openWire,
  type UnaryOperation,
  usableInterfaces,
  type UsableInterface,
  type WireFrame,
} from '@holdword/client/internal';
import { createGuardedClient } from '@holdword/net/internal';
import { A2AError, RESUME_EXTENSION } from '@holdword/protocol';
import { OWN_EXTENSIONS, type OperationRequest, type StreamingOperation } from '@holdword/protocol/internal';
import type { CommandInput } from '../command-line/command.ts';
import { UsageError } from '../usage-error.ts';
import { CallError } from './call-errors.ts';
import type { CallSettings } from './call-settings.ts';
import { credentialsFor } from './credentials.ts';
import type { Diagnostics } from './diagnostics.ts';
import type { ReachedAgent } from './task-advice.ts';
import { shellWord } from './task-text.ts';
import { findCard, readReference, type CardReference, type FoundCard } from './find-card.ts';

const MOST_RESPONSE_BYTES = 64 * 1024 * 1024;
const CALL_TIMEOUT_MILLISECONDS = 60_000;

/**
 * The agent that a command calls. Responses are the JSON of the agent, not validated and with everything that it sent, because
 * programs get it unchanged.
 */
export interface CalledAgent extends ReachedAgent {
  readonly found: FoundCard;
  /** Where it is called. */
  readonly origin: string;
  readonly streams: boolean;
  readonly resumes: boolean;
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

export async function findAgent(
  settings: CallSettings,
  { workingFolder }: Pick<CommandInput, 'workingFolder'>,
  signal: AbortSignal,
): Promise<NamedCard> {
  const reference = settings.text('agent-card');
  if (reference === undefined) {
    throw new UsageError(
      'Which agent? Name it with -a, such as -a localhost:4310, or set A2ACLI_AGENT_CARD.',
    );
  }
  const named = readReference(reference, workingFolder);
  const client = createGuardedClient({ trustedOrigins: 'url' in named ? [named.url.origin] : [] });
  try {
    return { found: await findCard(named, client, settings.version ?? '1.0', signal), named, reference };
  } finally {
    client.close();
  }
}

/** Chooses an interface of the agent. Nothing is sent to it yet. */
export async function openAgent(
  { found, named, reference }: NamedCard,
  settings: CallSettings,
  diagnostics: Diagnostics,
): Promise<CalledAgent> {
  const chosen = chooseInterface(found, settings);
  diagnostics.note(`uses ${chosen.binding} of A2A ${chosen.version} at ${chosen.url}`);
  const trusted = isOnHostOf(chosen, named);
  const credentials = credentialsFor(found.published, settings);
  for (const warning of credentials.warnings) diagnostics.warn(warning);
  const hasCredentials = Object.keys(credentials.headers).length > 0;
  if (hasCredentials && !trusted) {
    diagnostics.warn(`The credential was not sent: the card sends you to another host, ${chosen.origin}.`);
  }
  diagnostics.hide(credentials.secrets);
  const sentCredentials = hasCredentials && trusted;
  const client = createGuardedClient({ trustedOrigins: trusted ? [chosen.origin] : [] });
  const declared = found.card.capabilities.extensions?.map(({ uri }) => uri) ?? [];
  const wire = await openWire(chosen.binding, {
    client,
    url: chosen.url,
    version: chosen.version,
    extensions: OWN_EXTENSIONS.filter((uri) => declared.includes(uri)),
    headers: { ...serviceParameters(settings), ...(trusted && credentials.headers) },
    allowCallHeaders: false,
    maxResponseBytes: MOST_RESPONSE_BYTES,
    timeoutMilliseconds: CALL_TIMEOUT_MILLISECONDS,
  });
  const scope = chosen.tenant === undefined || chosen.tenant === '' ? {} : { tenant: chosen.tenant };
  return {
    found,
    words: wordsFor(reference, settings),
    origin: chosen.origin,
    sentCredentials,
    streams: found.card.capabilities.streaming === true,
    resumes: declared.includes(RESUME_EXTENSION),
    async call(operation, request, abort) {
      diagnostics.message(`> ${operation}`, request);
      const answer = await wire.call(
        operation,
        { ...request, ...scope },
        { ...(abort && { signal: abort }) },
      );
      diagnostics.message(`< ${operation}`, answer);
      return answer;
    },
    async *stream(operation, request, options = {}) {
      diagnostics.message(`> ${operation}`, request);
      for await (const frame of wire.stream(operation, { ...request, ...scope }, options)) {
        diagnostics.message(`< ${operation}`, frame.json);
        yield frame;
      }
    },
    [Symbol.dispose]() {
      wire.close();
      client.close();
    },
  };
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

/** A card in a file was chosen by the user with all that it says. */
function isOnHostOf({ origin }: UsableInterface, reference: CardReference): boolean {
  if ('file' in reference) return true;
  const [host, other] = [reference.url.hostname, new URL(origin).hostname];
  return host === other || (LOOPBACK.has(host) && LOOPBACK.has(other));
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

function serviceParameters(settings: CallSettings): Record<string, string> {
  return Object.fromEntries(
    settings.sourced('svc-param').map(({ value, source }) => {
      const colon = value.indexOf(':');
      if (colon < 1) throw new UsageError(`${source}: expected NAME:VALUE, found "${value}".`);
      return [value.slice(0, colon).trim(), value.slice(colon + 1).trim()];
    }),
  );
}
