import type { ResolveHost } from '@holdword/net/internal';
import { A2AError } from '@holdword/protocol';
import { readAgentEntries, readAgentEntry, type AgentEntry } from './agent-entries.ts';
import { cardFailure } from './card-failure.ts';
import { describeAgent } from './describe-agent.ts';
import type { LoadedCard, PublishedCard } from './published-card.ts';
import { RegisteredAgent, type AgentConnection, type AgentLimits } from './registered-agent.ts';

/** Not for models: it holds addresses and credentials. */
export interface AgentURLAndCustomHeaders {
  readonly agentCard: PublishedCard;
  readonly customHeaders: Readonly<Record<string, string>>;
}

export interface A2AAgentsOptions {
  /** In seconds, for fetching a card (default: 15). */
  cardTimeout?: number;
  /** In seconds: how long a card is used at most before the agent is asked for a newer one (default: 300). */
  cardMaxAge?: number;
  /** Of a card, of an answer, of one event of a stream (default: 32 MiB). */
  maxResponseBytes?: number;
  /** Ranges, addresses and hosts that cards may name although they are private, such as `10.0.0.0/8`. */
  allow?: readonly string[];
  /** Where `${NAME}` in headers is looked up (default: the environment of the process). */
  environment?: Readonly<Record<string, string | undefined>>;
  /** The system's resolver unless given. */
  resolve?: ResolveHost;
}

const CALL_TIMEOUT = 60_000;

/**
 * The agents that a user has named, by ids of the user's choice.
 *
 * Responsible for keeping addresses and headers away from models: what is meant for one (`…ForLlm`, messages of errors)
 * holds neither. One agent that cannot be reached does not hide the others. Leaves cards and calls to RegisteredAgent.
 */
export class A2AAgents {
  readonly #agents = new Map<string, RegisteredAgent>();
  readonly #options: A2AAgentsOptions;

  /** From entries by agent id, from a JSON file that holds them, or with none yet. */
  constructor(agents: Readonly<Record<string, AgentEntry>> | string = {}, options: A2AAgentsOptions = {}) {
    this.#options = options;
    for (const [agentId, entry] of Object.entries(readAgentEntries(agents))) this.#register(agentId, entry);
  }

  /** Ids of all agents, sorted. */
  get agentIds(): string[] {
    return [...this.#agents.keys()].toSorted();
  }

  /** All agents whose cards can be had; `getFailures` says why others are missing. Not for models. */
  async getAgents(): Promise<Record<string, AgentURLAndCustomHeaders>> {
    const agents: Record<string, AgentURLAndCustomHeaders> = {};
    for (const [agentId, loaded] of await this.#loadAll()) {
      if (!(loaded instanceof Error)) agents[agentId] = this.#withHeaders(agentId, loaded);
    }
    return agents;
  }

  /** Why the cards of agents cannot be had just now, by agent id. */
  async getFailures(): Promise<Record<string, string>> {
    const loaded = await this.#loadAll();
    return Object.fromEntries(
      loaded.flatMap(([agentId, result]) => (result instanceof Error ? [[agentId, result.message]] : [])),
    );
  }

  /** What a model may know of all agents, sorted by id; of one whose card cannot be had, `error` says why. */
  async getAgentsForLlm(detail = 'basic'): Promise<Record<string, Record<string, unknown>>> {
    const loaded = await this.#loadAll();
    return Object.fromEntries(
      loaded.map(([agentId, result]) => [
        agentId,
        result instanceof Error ? { error: result.message } : describeAgent(result.card, detail),
      ]),
    );
  }

  /** Null when there is no such agent. Not for models. */
  async getAgent(agentId: string): Promise<AgentURLAndCustomHeaders | null> {
    if (!this.#agents.has(agentId)) return null;
    return this.#withHeaders(agentId, await this.#load(agentId));
  }

  /** What a model may know of an agent; null when there is no such agent. */
  async getAgentForLlm(agentId: string, detail = 'basic'): Promise<Record<string, unknown> | null> {
    if (!this.#agents.has(agentId)) return null;
    return describeAgent((await this.#load(agentId)).card, detail);
  }

  async addAgent(agentId: string, url: string, customHeaders?: Record<string, string>): Promise<void> {
    if (this.#agents.has(agentId)) {
      throw new Error(`There is an agent "${agentId}" already. Choose another id.`);
    }
    this.#register(
      agentId,
      readAgentEntry(agentId, { url, ...(customHeaders && { custom_headers: customHeaders }) }),
    );
  }

  /**
   * The way to an agent. Rejects with an A2AError that names no address.
   * @internal
   */
  async connect(agentId: string, signal?: AbortSignal): Promise<AgentConnection> {
    const agent = this.#agent(agentId);
    try {
      return await agent.connect(signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw cardFailure(agentId, error);
    }
  }

  /**
   * Asks the agent for its card before the next call: it was not where its card says.
   * @internal
   */
  expireCard(agentId: string): void {
    this.#agents.get(agentId)?.expireCard();
  }

  /** Closes all connections. */
  close(): void {
    for (const agent of this.#agents.values()) agent.close();
  }

  #register(agentId: string, entry: AgentEntry): void {
    const { allow = [], environment = process.env, resolve } = this.#options;
    this.#agents.set(
      agentId,
      new RegisteredAgent({ entry, limits: this.#limits(), allow, environment, ...(resolve && { resolve }) }),
    );
  }

  #limits(): AgentLimits {
    const { cardTimeout = 15, cardMaxAge = 300, maxResponseBytes = 32 * 1024 * 1024 } = this.#options;
    return {
      cardTimeoutMilliseconds: cardTimeout * 1000,
      cardMaxAgeMilliseconds: cardMaxAge * 1000,
      callTimeoutMilliseconds: CALL_TIMEOUT,
      maxResponseBytes,
    };
  }

  #agent(agentId: string): RegisteredAgent {
    const agent = this.#agents.get(agentId);
    if (agent !== undefined) return agent;
    const known = this.agentIds.length === 0 ? 'none' : this.agentIds.join(', ');
    throw new A2AError('INVALID_PARAMS', `There is no agent "${agentId}". Agents: ${known}.`);
  }

  #withHeaders(agentId: string, { published }: LoadedCard): AgentURLAndCustomHeaders {
    return { agentCard: published, customHeaders: this.#agent(agentId).headers() };
  }

  async #load(agentId: string): Promise<LoadedCard> {
    try {
      return await this.#agent(agentId).card();
    } catch (error) {
      throw cardFailure(agentId, error);
    }
  }

  #loadAll(): Promise<[string, LoadedCard | Error][]> {
    return Promise.all(
      this.agentIds.map(async (agentId): Promise<[string, LoadedCard | Error]> => {
        const result = await this.#load(agentId).catch((error: unknown) =>
          error instanceof Error ? error : new Error(String(error)),
        );
        return [agentId, result];
      }),
    );
  }
}
