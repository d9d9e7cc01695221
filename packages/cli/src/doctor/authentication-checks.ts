import { randomUUID } from 'node:crypto';
import { isConnectionError, isForbiddenUrlError } from '@holdword/net/internal';
import { isA2AError, type A2AError } from '@holdword/protocol';
import { asObject, quotedMessage, shorten } from '@holdword/protocol/internal';
import { describeKeySource } from '../calling/environments.ts';
import { isUnknownMethod } from '../calling/call-errors.ts';
import type { CalledAgent } from '../calling/called-agent.ts';
import { credentialsFor, withNamedKey } from '../calling/credentials.ts';
import type { AgentSubject } from './agent-subject.ts';
import { blocking, fine, warning, type Check, type Finding } from './check.ts';

const LOG_IN = 'Get a key from the operator of the agent, and set it: export A2ACLI_BEARER=KEY';
const ADD_KEY = 'On its server, create a key with: holdword keys add NAME';

/** The way of a credential, step by step: what the card asks for, where it comes from, and what the agent says to it. */
export const AUTHENTICATION_CHECKS: readonly Check<AgentSubject>[] = [
  { id: 'auth-scheme', run: checkScheme },
  { id: 'auth-credential', run: checkCredential },
  { id: 'auth-answer', run: checkAnswer },
];

async function checkScheme(subject: AgentSubject): Promise<Finding> {
  const names = schemesOf((await subject.card()).found.published);
  return fine(
    names.length === 0 ? 'The card asks for no credentials.' : `The card asks for ${names.join(' or ')}.`,
  );
}

function schemesOf(published: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(asObject(published['securitySchemes'])).map((name) => shorten(name, 40));
}

async function checkCredential(subject: AgentSubject): Promise<Finding> {
  const { settings } = subject;
  const { published } = (await subject.card()).found;
  const { headers, secrets, warnings } = credentialsFor(published, await withNamedKey(settings, published));
  const [secret] = secrets;
  const source = sourceOf(subject);
  if (secret === undefined || source === undefined) {
    return isRequired(published)
      ? blocking('this machine', 'The agent asks for a credential, and there is none.', LOG_IN)
      : fine('There is no credential, and the card does not insist on one.');
  }
  if (Object.keys(headers).length === 0) {
    const found = `${warnings[0] ?? ''} It comes from ${source}.`;
    return schemesOf(published).length === 0
      ? warning('this machine', found, REMOVE)
      : blocking(
          'this machine',
          found,
          'Use the kind of credential that the card asks for: --bearer or --api-key',
        );
  }
  const wrong = wrongWith(secret);
  if (wrong !== undefined)
    return blocking('this machine', `The credential from ${source} ${wrong.found}.`, wrong.fix);
  return fine(`The credential comes from ${source}, and is sent as ${Object.keys(headers).join(', ')}.`);
}

const REMOVE = 'Remove it, or check that -a names the agent that you mean.';

/** Where the credential comes from that would be sent. */
function sourceOf({ settings }: AgentSubject): string | undefined {
  const given = ['bearer', 'api-key']
    .map((name) => settings.sourced(name).at(-1))
    .filter((each) => each !== undefined);
  const option = given.find(({ source }) => source.startsWith('--'));
  const { keyFrom } = settings.named ?? {};
  if (option === undefined && keyFrom !== undefined) return describeKeySource(keyFrom).replace(/^The/, 'the');
  return (option ?? given[0])?.source;
}

function isRequired(published: Readonly<Record<string, unknown>>): boolean {
  const required = published['securityRequirements'] ?? published['security'];
  return Array.isArray(required) && required.length > 0;
}

/** Mistakes that can be seen without asking anybody. The credential itself is not shown. */
function wrongWith(secret: string): { found: string; fix: string } | undefined {
  if (/^(bearer|token)\s/i.test(secret)) {
    return { found: 'begins with the word Bearer, which is added to it', fix: 'Leave the word out.' };
  }
  if (/^(["']).*\1$/s.test(secret))
    return { found: 'is in quotes', fix: 'Leave the quotes out: they are part of what is sent.' };
  if (/\s/.test(secret)) return { found: 'contains a space', fix: 'Copy it again, as one word.' };
  const claims = claimsOf(secret);
  const now = Date.now() / 1_000;
  if (typeof claims['exp'] === 'number' && claims['exp'] < now) {
    return {
      found: `has expired (${timeOf(claims['exp'])})`,
      fix: 'Log in again, or ask the issuer for a new token.',
    };
  }
  if (typeof claims['nbf'] === 'number' && claims['nbf'] > now + 60) {
    return {
      found: `is not valid before ${timeOf(claims['nbf'])}`,
      fix: 'Set the clock of this machine: timedatectl set-ntp true',
    };
  }
  return undefined;
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}

/** What a JSON Web Token says. It is not verified: the agent does that. */
function claimsOf(secret: string): Readonly<Record<string, unknown>> {
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(secret) ?? [];
  try {
    return payload === undefined ? {} : asObject(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  } catch {
    return {};
  }
}

/** How an agent that works answers a request for a task that does not exist. Some agents have no tasks at all. */
const EXPECTED: ReadonlySet<string> = new Set(['TASK_NOT_FOUND', 'INVALID_PARAMS', 'UNSUPPORTED_OPERATION']);

/** Asks for a task that does not exist: the answer tells whether the credential is accepted, and nothing is started. */
async function checkAnswer(subject: AgentSubject): Promise<Finding> {
  const agent = await subject.agent();
  try {
    await agent.call('getTask', { id: randomUUID() }, subject.signal);
  } catch (error) {
    if (isA2AError(error)) return judge(error, agent);
    if (isConnectionError(error)) {
      return blocking(
        'the agent',
        `The card is there, but nothing answers at the address on it, ${agent.origin}: ${error.message}.`,
        'Its operator has to correct the address on the card: holdword serve --public-url URL',
      );
    }
    if (isForbiddenUrlError(error)) {
      return blocking(
        'the agent',
        `The card names an address that it may not send you to: ${error.message}`,
        error.canBeAllowed
          ? `Call the agent there: -a ${agent.origin}`
          : 'Its operator has to correct the address on the card: holdword serve --public-url URL',
      );
    }
    throw error;
  }
  return fine(accepted(agent));
}

function accepted({ sentCredentials }: CalledAgent): string {
  return sentCredentials ? 'The agent accepts the credential.' : 'The agent answers without a credential.';
}

function judge(error: A2AError, agent: CalledAgent): Finding {
  const { code } = error;
  const said = quotedMessage(error);
  if (EXPECTED.has(code) || isUnknownMethod(error)) return fine(accepted(agent));
  if (code === 'UNAUTHENTICATED') {
    if (agent.sentCredentials) {
      return blocking(
        'this machine',
        `The agent rejects the credential: ${said}`,
        `Replace the credential. ${ADD_KEY}`,
      );
    }
    return schemesOf(agent.found.published).length === 0
      ? blocking(
          'the agent',
          `The card asks for no credentials, but the agent wants one: ${said}`,
          'Its operator has to declare the scheme on the card (securitySchemes), or exempt the path from the login of a proxy.',
        )
      : blocking('this machine', `The agent wants a credential: ${said}`, LOG_IN);
  }
  if (code === 'PERMISSION_DENIED') {
    return blocking(
      'the agent',
      `The agent knows the caller, but does not allow this: ${said}`,
      'Ask its operator for the rights.',
    );
  }
  if (code === 'METHOD_NOT_FOUND' || code === 'INVALID_AGENT_RESPONSE') {
    return blocking(
      'the agent',
      `The card is there, but something else answers at ${agent.origin}: ${said}`,
      'Check that the proxy forwards the paths on the card, and that no other program or plugin serves them.',
    );
  }
  return blocking('the agent', `The agent fails: ${said}`, 'Look at the log of its server.');
}
