import { usableInterfaces } from '@holdword/client/internal';
import { createGuardedClient, isLoopback } from '@holdword/net/internal';
import { verifyCard, type CardKeyResolver } from '@holdword/protocol';
import {
  agentCardSchema,
  asObject,
  describeIssues,
  OWN_EXTENSIONS,
  shorten,
} from '@holdword/protocol/internal';
import { CallError } from '../calling/call-errors.ts';
import type { FoundCard } from '../calling/find-card.ts';
import type { AgentSubject, Probe } from './agent-subject.ts';
import { blocking, fine, problem, warning, type Check, type Finding } from './check.ts';

const KEYS_MILLISECONDS = 10_000;
const MOST_KEYS_BYTES = 256 * 1024;
const REPORT = 'Report this to the operator of the agent.';

/** What the card says, and whether it can be used. */
export const CARD_CHECKS: readonly Check<AgentSubject>[] = [
  { id: 'card', run: checkCard },
  { id: 'card-valid', run: checkSpecification },
  { id: 'card-version', run: checkVersion },
  { id: 'card-addresses', run: checkAddresses },
  { id: 'card-extensions', run: checkExtensions },
  { id: 'card-signature', run: checkSignature },
];

async function checkCard(subject: AgentSubject): Promise<Finding> {
  const { url } = subject;
  try {
    const { found } = await subject.card();
    return fine(`${shorten(found.card.name, 60)}, at ${found.url?.href ?? subject.reference}.`);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    const why = url === undefined ? undefined : whyNoCard(await subject.probe(url), url);
    return (
      why ?? blocking(url === undefined ? 'this machine' : 'the agent', error.message, error.hint ?? REPORT)
    );
  }
}

/** What stands where the card should be, if it is something well known. */
function whyNoCard({ status, headers, body }: Probe, url: URL): Finding | undefined {
  const location = headers['location'];
  if (status >= 300 && status < 400 && typeof location === 'string') {
    const target = URL.canParse(location, url.href) ? new URL(location, url).href : shorten(location, 200);
    return blocking(
      'this machine',
      `The address redirects to ${target}.`,
      `Use the address that it redirects to: -a ${target}`,
    );
  }
  if (status === 401 || status === 403) {
    return blocking(
      'the network',
      `The card is not public: HTTP status ${status}${challenge(headers)}. A proxy or gateway in front of the agent asks for a login.`,
      `Let its operator exempt ${url.pathname} from the login.`,
    );
  }
  if (status === 502 || status === 503 || status === 504) {
    return blocking(
      'the agent',
      `A proxy answers with HTTP status ${status}: the agent behind it is not running or not reachable for the proxy.`,
      'Start the agent, and check the address to which the proxy forwards.',
    );
  }
  if (status === 200 && /^\s*</.test(body)) {
    return blocking(
      'the agent',
      `There is a web page at ${url.href}, not a card: another program answers this path, such as the control page of OpenClaw.`,
      'Check the port after -a. On OpenClaw, see whether the channel runs: openclaw channels status --probe',
    );
  }
  return undefined;
}

function challenge(headers: Probe['headers']): string {
  const asked = headers['www-authenticate'];
  return asked === undefined ? '' : ` (${shorten(asked.toString(), 100)})`;
}

async function checkSpecification(subject: AgentSubject): Promise<Finding> {
  const { published } = (await subject.card()).found;
  if (published['supportedInterfaces'] === undefined) return fine('It is a card of A2A 0.3.');
  const { error } = agentCardSchema.safeParse(published);
  if (error === undefined) return fine('It follows the specification.');
  const issues = describeIssues(error.issues, published);
  return warning(
    'the agent',
    `The card breaks the specification: ${issues}. Other clients may refuse it.`,
    REPORT,
  );
}

async function checkVersion(subject: AgentSubject): Promise<Finding> {
  const { card } = (await subject.card()).found;
  const usable = usableInterfaces(card);
  const wanted = subject.settings.version;
  const matching = usable.filter(({ version }) =>
    wanted === undefined ? version !== '0.3' : version === wanted,
  );
  if (matching.length > 0) {
    const [first] = matching;
    const bindings = new Set(matching.map(({ binding }) => binding));
    return fine(`A2A ${first?.version} over ${[...bindings].join(', ')}.`);
  }
  if (usable.length === 0) {
    return blocking(
      'the agent',
      'The card has no interface that can be used: JSONRPC, HTTP+JSON or GRPC of A2A 1.1, 1.0 or 0.3.',
      REPORT,
    );
  }
  const versions = [...new Set(usable.map(({ version }) => version))];
  return blocking(
    'this machine',
    `The agent speaks A2A ${versions.join(' and ')} only.`,
    `Add --a2a-version ${versions[0]} to the command, or keep it with: holdword env add NAME ${subject.reference} --a2a-version ${versions[0]}`,
  );
}

/** Servers in containers and behind proxies often do not know by which address they are reached. */
async function checkAddresses(subject: AgentSubject): Promise<Finding> {
  const { found } = await subject.card();
  const { url } = subject;
  for (const { url: address, origin } of usableInterfaces(found.card)) {
    const { hostname, protocol } = new URL(origin);
    if (hostname === '0.0.0.0' || hostname === '[::]') {
      return wrongAddress(
        subject,
        `The card sends callers to ${address}, which is no address that can be called.`,
      );
    }
    if (url === undefined) continue;
    if (isLoopback(hostname) && !isLoopback(url.hostname)) {
      return wrongAddress(
        subject,
        `The card sends callers to ${address}, which is the caller's own machine.`,
      );
    }
    if (url.protocol === 'https:' && protocol === 'http:') {
      return wrongAddress(
        subject,
        `The card was fetched over https, and sends callers to ${address} without TLS.`,
      );
    }
    if (hostname !== url.hostname && !(isLoopback(hostname) && isLoopback(url.hostname))) {
      return warning(
        'the agent',
        `The card sends callers to another host, ${address}. Credentials are not sent there.`,
        `If the agent is yours, serve it with its public address: holdword serve --public-url ${url.origin}. Otherwise ask its operator.`,
      );
    }
  }
  return fine('Its addresses are on the host that was called.');
}

function wrongAddress({ url }: AgentSubject, found: string): Finding {
  const known = url === undefined ? 'URL' : url.origin;
  return blocking(
    'the agent',
    found,
    `Serve it with its public address: holdword serve --public-url ${known}`,
  );
}

async function checkExtensions(subject: AgentSubject): Promise<Finding | undefined> {
  const { card } = (await subject.card()).found;
  const own: readonly string[] = OWN_EXTENSIONS;
  const required = (card.capabilities.extensions ?? []).filter((each) => each.required === true);
  const unknown = required.map(({ uri = '' }) => uri).filter((uri) => !own.includes(uri));
  if (unknown.length === 0) return undefined;
  return problem(
    'the agent',
    `The agent requires extensions that Holdword does not have: ${shorten(unknown.join(', '), 200)}.`,
    'Use a client that has them, or let its operator make them optional.',
  );
}

/** A signature proves something only with a key that is trusted: here one that the host of the card publishes over TLS. */
async function checkSignature(subject: AgentSubject): Promise<Finding> {
  const { found } = await subject.card();
  const { status } = await verifyCard(found.published, keysOf(found, subject.signal));
  if (status === 'absent') return fine('The card is not signed, which is allowed.');
  if (status === 'verified') return fine('The signature of the card is valid.');
  if (status === 'unverifiable') {
    return warning(
      'the agent',
      'The card is signed with a key that its host does not publish, so that the signature proves nothing here.',
      'Its operator can publish the key on the host of the card, and name it in the signature (jku).',
    );
  }
  return problem(
    'the agent',
    'The signature does not match the card: the card was changed after it was signed.',
    'Let its operator sign the card again. If a proxy changes the card, stop it from doing so.',
  );
}

function keysOf({ url }: FoundCard, signal: AbortSignal): CardKeyResolver {
  return async ({ keySetUrl, keyId }) => {
    if (url === undefined || keySetUrl === undefined || URL.parse(keySetUrl)?.origin !== url.origin)
      return undefined;
    const client = createGuardedClient({ trustedOrigins: [url.origin] });
    try {
      const { status, body } = await client.send({
        url: keySetUrl,
        method: 'GET',
        headers: {},
        body: '',
        timeoutMilliseconds: KEYS_MILLISECONDS,
        maxResponseBytes: MOST_KEYS_BYTES,
        signal,
      });
      const { keys } = asObject(status === 200 ? JSON.parse(body) : undefined);
      const found: unknown = Array.isArray(keys)
        ? keys.find((key) => asObject(key)['kid'] === keyId)
        : undefined;
      return found === undefined ? undefined : asObject(found);
    } catch {
      return undefined;
    } finally {
      client.close();
    }
  };
}
