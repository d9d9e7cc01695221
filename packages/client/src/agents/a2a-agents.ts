import type { ResolveHost } from '@holdword/net/internal';
import { A2AError, type AgentCard, isA2AError, type V03Part } from '@holdword/protocol';
import { countOf, oneLine } from '../artifacts/shorten.ts';
import {
  checkOptions,
  isByteCount,
  isFolder,
  isFunction,
  isRecord,
  isPositiveSeconds,
  isSeconds,
  isTextList,
} from '../basics/check-options.ts';
import { type LargeContent, LargeParts } from '../large/large-parts.ts';
import { type AgentEntry, readAgentEntries, readAgentEntry } from './agent-entries.ts';
import { cardFailure, type CheckedCard, type LoadedCard, type PublishedCard } from './card-cache.ts';
import { type AgentConnection, type AgentLimits, RegisteredAgent } from './registered-agent.ts';

/** A registered agent with its card and headers. Do not show it to a model: it contains URLs and credentials. */
export interface AgentURLAndCustomHeaders {
  /** The agent card as published. */
  readonly agentCard: PublishedCard;
  /** The headers sent with every request, with environment variables expanded. */
  readonly customHeaders: Readonly<Record<string, string>>;
}

/** Options of {@link A2AAgents}. */
export interface A2AAgentsOptions {
  /**
   * Timeout for fetching an agent card, in seconds.
   * @default 15
   */
  cardTimeout?: number;
  /**
   * Maximum age of a cached agent card, in seconds.
   * @default 300
   */
  cardMaxAge?: number;
  /**
   * Maximum size in bytes of a card, of a response that is kept in memory, or of one event of a stream. In a larger response, the
   * long contents of parts are written to files: see `getLargePart`.
   * @default `8388608` (8 MiB)
   */
  maxResponseBytes?: number;
  /**
   * Maximum size in bytes of a response whose contents are written to files. A larger response is an error.
   * @default `1073741824` (1 GiB)
   */
  maxResultBytes?: number;
  /**
   * Folder for these files. It holds at most four times `maxResultBytes`; the oldest files are deleted first.
   * @default the folder of the session's task store, if that is a `JSONTaskStore`; otherwise a temporary folder that `close` removes
   */
  largePartsFolder?: string;
  /**
   * Private address ranges, addresses and host names that agent cards may refer to, such as `10.0.0.0/8`. Link-local and cloud
   * metadata addresses stay refused.
   * @default []
   */
  allow?: readonly string[];
  /**
   * Variables for `${NAME}` in headers.
   * @default process.env
   */
  environment?: Readonly<Record<string, string | undefined>>;
  /** Resolves host names. Without it, the system's resolver is used. */
  resolve?: ResolveHost;
}

const CALL_TIMEOUT = 60_000;
const DEFAULT_MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
const DEFAULT_MAX_RESULT_BYTES = 1024 ** 3;

const OPTION_CHECKS = {
  cardTimeout: isPositiveSeconds,
  cardMaxAge: isSeconds,
  maxResponseBytes: isByteCount,
  maxResultBytes: isByteCount,
  largePartsFolder: isFolder,
  allow: isTextList,
  environment: isRecord,
  resolve: isFunction,
} satisfies Record<keyof A2AAgentsOptions, unknown>;

/**
 * A registry of remote agents, keyed by ids that you choose. URLs and headers are never shown to a model: neither the
 * `…ForLlm` methods nor error messages contain them.
 *
 * Responsible for that separation, and for one unreachable agent not hiding the others. Leaves cards and requests to
 * RegisteredAgent.
 *
 * @example
 * ```ts
 * import { A2AAgents } from '@holdword/client';
 *
 * const agents = new A2AAgents({
 *   weather: { url: 'https://weather.example.com/.well-known/agent-card.json' },
 *   'research-bot': {
 *     url: 'https://research.example.com',
 *     custom_headers: { 'X-API-Key': '${RESEARCH_KEY}' },
 *   },
 * });
 * console.log(await agents.getAgentsForLlm());
 * agents.close();
 * ```
 */
export class A2AAgents {
  readonly #agents = new Map<string, RegisteredAgent>();
  readonly #options: A2AAgentsOptions;
  /** @internal */
  readonly largeParts: LargeParts;

  /**
   * @param agents Entries by agent id, or the path of a JSON file that contains them.
   * @throws Error if an entry is invalid or the file cannot be read, TypeError if an option is unknown or invalid.
   */
  constructor(agents: Readonly<Record<string, AgentEntry>> | string = {}, options: A2AAgentsOptions = {}) {
    checkOptions('new A2AAgents(agents, options)', options, OPTION_CHECKS);
    this.#options = options;
    const { largePartsFolder: folder, maxResultBytes = DEFAULT_MAX_RESULT_BYTES } = options;
    this.largeParts = new LargeParts({ folder, maxResultBytes });
    for (const [agentId, entry] of Object.entries(readAgentEntries(agents))) this.#register(agentId, entry);
  }

  /** @internal */
  get maxResponseBytes(): number {
    return this.#options.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES;
  }

  /** The ids of all agents, sorted. */
  get agentIds(): string[] {
    return [...this.#agents.keys()].toSorted();
  }

  /**
   * Returns all agents whose card can be fetched; see `getFailures` for the others. Do not show the result to a model: use
   * `getAgentsForLlm`.
   */
  async getAgents(): Promise<Record<string, AgentURLAndCustomHeaders>> {
    const loaded = await this.#loadAll();
    return Object.fromEntries(
      loaded.flatMap(([agentId, result]) =>
        result instanceof Error ? [] : [[agentId, this.#withHeaders(agentId, result)]],
      ),
    );
  }

  /** Returns the reasons why agent cards could not be fetched, by agent id. */
  async getFailures(): Promise<Record<string, string>> {
    const loaded = await this.#loadAll();
    return Object.fromEntries(
      loaded.flatMap(([agentId, result]) => (result instanceof Error ? [[agentId, reasonOf(result)]] : [])),
    );
  }

  /**
   * Returns a summary of all agents for a model, sorted by id. An agent whose card could not be fetched has an `error`; if it
   * was fetched before, the summary is from then.
   *
   * @param detail `name`, `basic`, `skills` or `full`; `basic` by default.
   * @throws TypeError if `detail` is not one of these.
   */
  async getAgentsForLlm(detail = 'basic'): Promise<Record<string, Record<string, unknown>>> {
    const loaded = await this.#loadAll();
    return Object.fromEntries(
      loaded.map(([agentId, result]) => [
        agentId,
        result instanceof Error ? { error: reasonOf(result) } : describeChecked(agentId, result, detail),
      ]),
    );
  }

  /**
   * Returns one agent, or null if the id is not registered. Do not show the result to a model: use `getAgentForLlm`.
   *
   * @throws A2AError if the card could not be fetched.
   */
  async getAgent(agentId: string): Promise<AgentURLAndCustomHeaders | null> {
    if (!this.#agents.has(agentId)) return null;
    return this.#withHeaders(agentId, await this.#load(agentId));
  }

  /**
   * Returns a summary of one agent for a model, or null if the id is not registered. If its card could be fetched before, but
   * not now, the summary is from then and has an `error`.
   *
   * @param detail `name`, `basic`, `skills` or `full`; `basic` by default.
   * @throws A2AError if the card could not be fetched, TypeError if `detail` is invalid.
   */
  async getAgentForLlm(agentId: string, detail = 'basic'): Promise<Record<string, unknown> | null> {
    if (!this.#agents.has(agentId)) return null;
    return describeChecked(agentId, await this.#load(agentId), detail);
  }

  /**
   * Registers another agent.
   *
   * @param url The URL of the agent card, or of the agent if the card is at its standard path.
   * @throws Error if the id is already registered, or if the entry is invalid.
   */
  async addAgent(agentId: string, url: string, customHeaders?: Record<string, string>): Promise<void> {
    if (this.#agents.has(agentId)) {
      throw new Error(`Agent "${agentId}" is already registered. Choose another id.`);
    }
    this.#register(
      agentId,
      readAgentEntry(agentId, { url, ...(customHeaders && { custom_headers: customHeaders }) }),
    );
  }

  /**
   * Connects to an agent. Rejects with an A2AError whose message contains no address.
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
   * Refetches the card before the next request, because the agent was not where its card says.
   * @internal
   */
  expireCard(agentId: string): void {
    this.#agents.get(agentId)?.expireCard();
  }

  /**
   * Returns the file that has the content of a part which was too large for memory, or null if the part is not such a part. Only files
   * that the client wrote to its own folder are returned, whatever an agent sends.
   *
   * @example
   * ```ts
   * import { createReadStream } from 'node:fs';
   * import { A2AAgents, A2ASession } from '@holdword/client';
   *
   * const agents = new A2AAgents({ archive: { url: 'https://archive.example.com' } });
   * const task = await new A2ASession(agents).getTask('archive', 'the-id-of-a-task');
   * const [part] = task.artifacts?.[0]?.parts ?? [];
   * const large = part && (await agents.getLargePart(part));
   * if (large) createReadStream(large.path).pipe(process.stdout);
   * ```
   *
   * @throws A2AError `UNAVAILABLE` if the file was deleted: call `getTask` to fetch the task again.
   */
  async getLargePart(part: V03Part): Promise<LargeContent | null> {
    const { uri } = part.kind === 'file' ? part.file : {};
    const content = await this.largeParts.find(uri);
    if (content !== undefined) return content;
    if (!(await this.largeParts.isGone(uri, part.metadata))) return null;
    throw new A2AError(
      'UNAVAILABLE',
      'The content of this part was deleted: it was in a temporary file, or newer results needed the space. Call getTask to fetch the task again.',
    );
  }

  /** Closes all connections and removes temporary files of large results. */
  close(): void {
    for (const agent of this.#agents.values()) agent.close();
    this.largeParts.close();
  }

  #register(agentId: string, entry: AgentEntry): void {
    const { allow = [], environment = process.env, resolve } = this.#options;
    this.#agents.set(
      agentId,
      new RegisteredAgent({
        entry,
        limits: this.#limits(),
        allow,
        environment,
        largeParts: this.largeParts,
        ...(resolve && { resolve }),
      }),
    );
  }

  #limits(): AgentLimits {
    const { cardTimeout = 15, cardMaxAge = 300 } = this.#options;
    return {
      cardTimeoutMilliseconds: cardTimeout * 1000,
      cardMaxAgeMilliseconds: cardMaxAge * 1000,
      callTimeoutMilliseconds: CALL_TIMEOUT,
      maxResponseBytes: this.maxResponseBytes,
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

  async #load(agentId: string): Promise<CheckedCard> {
    try {
      return await this.#agent(agentId).card();
    } catch (error) {
      throw cardFailure(agentId, error);
    }
  }

  #loadAll(): Promise<[string, CheckedCard | Error][]> {
    return Promise.all(
      this.agentIds.map(async (agentId): Promise<[string, CheckedCard | Error]> => {
        const result = await this.#load(agentId).catch((error: unknown) =>
          error instanceof Error ? error : new Error(String(error)),
        );
        return [agentId, result];
      }),
    );
  }
}

const DETAIL_LEVELS = ['name', 'basic', 'skills', 'full'] as const;
/** How much of an agent card a summary contains. */
export type DetailLevel = (typeof DETAIL_LEVELS)[number];

/** Why a card could not be fetched, and when to try again if the agent says so. */
function reasonOf(error: Error): string {
  const seconds = isA2AError(error) ? error.retryAfterSeconds : undefined;
  return seconds === undefined
    ? error.message
    : `${error.message} Try again in ${countOf(Math.ceil(seconds), 'second')}.`;
}

/** Says as well if the agent no longer publishes the card. */
function describeChecked(
  agentId: string,
  { card, failure }: CheckedCard,
  detail: string,
): Record<string, unknown> {
  const described = describeAgent(card, detail);
  return failure === undefined ? described : { ...described, error: reasonOf(cardFailure(agentId, failure)) };
}

/** Summarizes an agent for a model; never includes its URL, its headers or other parts of its card. */
function describeAgent(card: AgentCard, detail: string): Record<string, unknown> {
  const { description, skills } = card;
  const name = oneLine(card.name);
  switch (detail) {
    case 'name':
      return { name };
    case 'basic':
      return { name, description };
    case 'skills':
      return { name, description, skills: skills.map((skill) => oneLine(skill.name)) };
    case 'full':
      return {
        name,
        description,
        skills: skills.map((skill) => ({ name: oneLine(skill.name), description: skill.description })),
      };
    default:
      throw new TypeError(`Expected detail to be one of ${DETAIL_LEVELS.join(', ')}, found "${detail}".`);
  }
}
