import { createHash, randomUUID } from 'node:crypto';
import { findRootCard, HttpEndpoint, openWire, parseJson, usableInterfaces } from '@holdword/client/internal';
import type { GuardedClient } from '@holdword/net/internal';
import { A2AError, isA2AError, type AgentCard, type Message, SKILL_METADATA } from '@holdword/protocol';
import { asObject, isObject, shorten, trimEndOf } from '@holdword/protocol/internal';
import type { Store } from '@holdword/store';
import type { AgentDetail, AgentSummary, Exchange, TriedAgent } from '../api/agents.ts';
import type { BodyOf, ResponseOf } from '../api/endpoints.ts';
import { authenticationOf, headerFor, reportOnCard } from './card-report.ts';
import { problemOf, recordExchanges } from './recorded-client.ts';

const AGENTS = 'console-agents';
/** More are a mistake: the list is read whole. */
const MOST_AGENTS = 200;
const SERVED = 'served';
const CARD_PATH = '/.well-known/agent-card.json';
const CARD_MILLISECONDS = 15_000;
const MOST_CARD_BYTES = 1024 * 1024;
const CALL_MILLISECONDS = 60_000;
const MOST_RESPONSE_BYTES = 8 * 1024 * 1024;
/** Sessions that have credentials in memory. The oldest are forgotten. */
const MOST_SESSIONS = 100;

interface KnownAgent {
  readonly id: string;
  readonly kind: AgentSummary['kind'];
  readonly url: string;
  readonly published: unknown;
  readonly fetchedAt: string | null;
  readonly unreachable: string | null;
}

interface Credential {
  readonly scheme: string;
  readonly value: string;
}

export interface AgentsOptions {
  readonly store: Pick<Store, 'getRecord' | 'putRecord' | 'deleteRecord' | 'listRecords'>;
  readonly card: AgentCard;
  readonly serverUrl: string;
  /** Connects only where the operator of this server allows it. */
  readonly client: GuardedClient;
}

/**
 * The agent of this server and those that operators have added by URL, in the records of the store.
 *
 * Responsible for calling them: always from this server and through its guard, never from the browser. A credential for an agent
 * stays in memory, belongs to one session, and is sent only to the origin of the card that it was entered for.
 */
export class Agents {
  readonly #options: AgentsOptions;
  readonly #credentials = new Map<string, Map<string, Credential>>();

  constructor(options: AgentsOptions) {
    this.#options = options;
  }

  async list(): Promise<AgentSummary[]> {
    const records = await this.#options.store.listRecords(AGENTS, '', { limit: MOST_AGENTS });
    return [this.#served(), ...records.map(({ value }) => JSON.parse(value) as KnownAgent)].map(summaryOf);
  }

  async detail(sessionId: string, id: string): Promise<AgentDetail> {
    return this.#detailOf(sessionId, await this.#require(id));
  }

  async add(sessionId: string, url: string): Promise<AgentDetail> {
    const id = createHash('sha256').update(url).digest('hex').slice(0, 16);
    const known = await this.#options.store.listRecords(AGENTS, '', { limit: MOST_AGENTS });
    if (known.length >= MOST_AGENTS && !known.some(({ key }) => key === id)) {
      throw new A2AError(
        'RESOURCE_EXHAUSTED',
        `There are ${MOST_AGENTS} remote agents. Remove some of them first.`,
      );
    }
    const found = await this.#fetchCard(url).catch(async (error: unknown) => {
      const { origin, href, pathname } = new URL(url);
      const asked = [pathname === '/' ? `${origin}${CARD_PATH}` : href];
      const root = await findRootCard(this.#options.client, { origin, asked });
      const why = `The agent card could not be fetched: ${problemOf(error)}`;
      const advice = `. A card was found at ${root}: add ${origin}/ if that is the agent you mean.`;
      throw new A2AError('INVALID_PARAMS', root === undefined ? why : `${why}${advice}`, { cause: error });
    });
    const agent: KnownAgent = {
      id,
      kind: 'remote',
      ...found,
      fetchedAt: new Date().toISOString(),
      unreachable: null,
    };
    await this.#save(agent);
    return this.#detailOf(sessionId, agent);
  }

  async refresh(sessionId: string, id: string): Promise<AgentDetail> {
    const agent = await this.#require(id);
    if (agent.kind === 'served') return this.#detailOf(sessionId, agent);
    const fresh = await this.#fetchCard(agent.url).then(
      (found) => ({ ...agent, ...found, fetchedAt: new Date().toISOString(), unreachable: null }),
      (error: unknown) => ({ ...agent, unreachable: shorten(problemOf(error), 500) }),
    );
    await this.#save(fresh);
    return this.#detailOf(sessionId, fresh);
  }

  async remove(id: string): Promise<void> {
    await this.#require(id);
    if (id === SERVED) throw new A2AError('INVALID_PARAMS', 'The agent of this server cannot be removed.');
    await this.#options.store.deleteRecord(AGENTS, id);
    for (const credentials of this.#credentials.values()) credentials.delete(id);
  }

  /** Sends a message and shows what was sent and received. */
  async try(
    sessionId: string,
    id: string,
    body: BodyOf<'tryAgent'>,
    signal: AbortSignal,
  ): Promise<TriedAgent> {
    const agent = await this.#require(id);
    const message: Message = {
      messageId: randomUUID(),
      role: 'ROLE_USER',
      parts: body.parts,
      ...(body.taskId !== undefined && { taskId: body.taskId }),
      ...(body.contextId !== undefined && { contextId: body.contextId }),
    };
    const { result, problem, exchanges } = await this.#call(sessionId, agent, signal, (wire) =>
      wire.call(
        'sendMessage',
        { message, ...(body.skill !== undefined && { metadata: { [SKILL_METADATA]: body.skill } }) },
        { signal },
      ),
    );
    const answer = asObject(result);
    const task = asObject(answer['task']);
    const said = asObject(answer['message']);
    return {
      exchanges,
      result: result ?? null,
      problem,
      taskId: textOrNull(task['id'] ?? said['taskId']),
      contextId: textOrNull(task['contextId'] ?? said['contextId']),
    };
  }

  /** Keeps a credential for this session and finds out whether the agent accepts it, by asking for a task that does not exist. */
  async setCredential(
    sessionId: string,
    id: string,
    credential: Credential,
    signal: AbortSignal,
  ): Promise<ResponseOf<'setAgentCredential'>> {
    const agent = await this.#require(id);
    const scheme = reportOnCard(agent.published).card?.securitySchemes?.[credential.scheme];
    if (scheme === undefined || headerFor(scheme, '') === undefined) {
      throw new A2AError(
        'INVALID_PARAMS',
        `The card has no scheme "${shorten(credential.scheme, 80)}" that can be used here.`,
      );
    }
    if (/[^\x20-\x7e]/.test(credential.value)) {
      throw new A2AError(
        'INVALID_PARAMS',
        'The credential contains characters that no header may have. Check it.',
      );
    }
    const own = this.#credentials.get(sessionId) ?? new Map<string, Credential>();
    this.#credentials.delete(sessionId);
    this.#credentials.set(sessionId, own.set(id, credential));
    const [oldest] = this.#credentials.keys();
    if (this.#credentials.size > MOST_SESSIONS && oldest !== undefined) this.#credentials.delete(oldest);
    const { error, exchanges } = await this.#call(sessionId, agent, signal, (wire) =>
      wire.call('getTask', { id: randomUUID() }, { signal }),
    );
    return { ...judge(error), exchanges };
  }

  removeCredential(sessionId: string, id: string): void {
    this.#credentials.get(sessionId)?.delete(id);
  }

  forgetSession(sessionId: string): void {
    this.#credentials.delete(sessionId);
  }

  #served(): KnownAgent {
    const { card, serverUrl } = this.#options;
    return {
      id: SERVED,
      kind: 'served',
      url: `${serverUrl}${CARD_PATH}`,
      published: card,
      fetchedAt: null,
      unreachable: null,
    };
  }

  async #require(id: string): Promise<KnownAgent> {
    if (id === SERVED) return this.#served();
    const value = await this.#options.store.getRecord(AGENTS, id);
    if (value !== undefined) return JSON.parse(value) as KnownAgent;
    throw new A2AError('TASK_NOT_FOUND', 'There is no such agent. It may have been removed.');
  }

  async #save(agent: KnownAgent): Promise<void> {
    await this.#options.store.putRecord(AGENTS, agent.id, JSON.stringify(agent));
  }

  #detailOf(sessionId: string, agent: KnownAgent): AgentDetail {
    const { card, problems } = reportOnCard(agent.published);
    const usable = new Set(card && usableInterfaces(card).map(({ url }) => url));
    const credential = this.#credentials.get(sessionId)?.get(agent.id)?.scheme ?? null;
    return {
      ...summaryOf(agent),
      card: asObject(agent.published),
      problems: [...problems],
      interfaces: (card?.supportedInterfaces ?? []).map(({ url, protocolBinding, protocolVersion }) => ({
        url,
        binding: protocolBinding,
        version: protocolVersion,
        usable: usable.has(url),
      })),
      skillList: (card?.skills ?? []).map((skill) => ({
        id: skill.id,
        name: skill.name,
        description: skill.description,
        tags: skill.tags,
        examples: skill.examples ?? [],
        inputModes: skill.inputModes ?? card?.defaultInputModes ?? [],
        outputModes: skill.outputModes ?? card?.defaultOutputModes ?? [],
      })),
      authentication: { ...authenticationOf(card), credential },
    };
  }

  async #call(
    sessionId: string,
    agent: KnownAgent,
    signal: AbortSignal,
    send: (wire: Awaited<ReturnType<typeof openWire>>) => Promise<unknown>,
  ): Promise<{ result?: unknown; error?: unknown; problem: string | null; exchanges: Exchange[] }> {
    const { card } = reportOnCard(agent.published);
    const chosen = card && usableInterfaces(card).find(({ binding }) => binding !== 'GRPC');
    if (card === undefined || chosen === undefined) {
      return {
        problem: 'The card names no interface that the console can call: JSONRPC or HTTP+JSON.',
        exchanges: [],
      };
    }
    const credential = this.#credentials.get(sessionId)?.get(agent.id);
    // The card decides where a credential goes only as far as its own origin.
    const isOwnOrigin = chosen.origin === new URL(agent.url).origin;
    const scheme = credential && card.securitySchemes?.[credential.scheme];
    const headers = (credential && scheme && isOwnOrigin && headerFor(scheme, credential.value)) || {};
    const recorded = recordExchanges(this.#options.client, credential ? [credential.value] : []);
    const wire = await openWire(chosen.binding, {
      client: recorded.client,
      url: chosen.url,
      version: chosen.version,
      extensions: [],
      headers,
      allowCallHeaders: false,
      maxResponseBytes: MOST_RESPONSE_BYTES,
      timeoutMilliseconds: CALL_MILLISECONDS,
    });
    try {
      return { result: await send(wire), problem: null, exchanges: [...recorded.exchanges] };
    } catch (error) {
      signal.throwIfAborted();
      return { error, problem: shorten(problemOf(error), 1_000), exchanges: [...recorded.exchanges] };
    } finally {
      wire.close();
    }
  }

  /** The card at a URL, or at the usual path below it. It is public: no credential is sent. */
  async #fetchCard(address: string): Promise<Pick<KnownAgent, 'url' | 'published'>> {
    const endpoint = new HttpEndpoint({
      client: this.#options.client,
      headers: {},
      allowCallHeaders: false,
      maxResponseBytes: MOST_CARD_BYTES,
      timeoutMilliseconds: CARD_MILLISECONDS,
    });
    const given = new URL(address);
    const below = new URL(`${trimEndOf(given.pathname, '/')}${CARD_PATH}`, given);
    const candidates = given.pathname.endsWith('.json') ? [given] : [below, given];
    let status = 0;
    for (const { href } of candidates) {
      const answer = await endpoint.request(
        { url: href, method: 'GET', headers: { 'A2A-Version': '1.0' }, repeatable: true },
        {},
      );
      ({ status } = answer);
      if (status !== 200) continue;
      const published = parseJson(answer.text);
      if (isObject(published) && typeof published['name'] === 'string') return { url: href, published };
      throw new Error('it is not an agent card');
    }
    throw new Error(`the server answered with HTTP status ${status}`);
  }
}

function summaryOf({ id, kind, url, published, fetchedAt, unreachable }: KnownAgent): AgentSummary {
  const { card, problems } = reportOnCard(published);
  const raw = asObject(published);
  const isError = problems.filter(({ severity }) => severity === 'error');
  return {
    id,
    kind,
    url,
    name: card?.name ?? textOrNull(raw['name']) ?? url,
    description: card?.description ?? textOrNull(raw['description']) ?? '',
    version: card?.version ?? null,
    skills: card?.skills.length ?? 0,
    errors: isError.length,
    warnings: problems.length - isError.length,
    fetchedAt,
    unreachable,
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** An agent that says that there is no such task has accepted the credential. */
function judge(error: unknown): { accepted: boolean | null; message: string } {
  const code = isA2AError(error) ? error.code : undefined;
  if (code === 'UNAUTHENTICATED' || code === 'PERMISSION_DENIED') {
    return {
      accepted: false,
      message: `The agent refused the credential: ${shorten(problemOf(error), 300)}`,
    };
  }
  if (error === undefined || code === 'TASK_NOT_FOUND')
    return { accepted: true, message: 'The agent accepted the credential.' };
  return { accepted: null, message: `It could not be tried: ${shorten(problemOf(error), 300)}` };
}
