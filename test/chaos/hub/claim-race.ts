import { expect } from 'vitest';
import { errorOf, message, registerAgent, resultOf, type HubAgent } from '../../e2e/hub/hub-agents.ts';
import type { Json, RunningHub } from '../../e2e/hub/start-hub.ts';

const CLAIMERS = 20;
const STEPS = 3;

/** What became of one race. */
export interface RaceOutcome {
  /** Messages of the owner that reached the task before its successor did. */
  readonly ownerSteps: number;
  readonly ownerRefusals: number;
}

/**
 * Agents that race for one offer after the other, through any of the hubs of one store.
 *
 * Responsible for the race and for judging it: one winner, and no step of the task by anybody else once the winner has made its
 * first. Leaves starting and killing the hubs to the tests.
 */
export class ClaimRace {
  readonly #hubs: readonly RunningHub[];
  readonly #owner: HubAgent;
  readonly #claimers: readonly HubAgent[];
  #requests = 0;

  static async start(hubs: readonly [RunningHub, ...RunningHub[]]): Promise<ClaimRace> {
    const [hub] = hubs;
    const controller = await registerAgent(hub, 'crew');
    const hire = (name: string): Promise<HubAgent> =>
      registerAgent(hub, name, { controller_id: 'crew' }, { 'x-delx-controller-token': controller.token });
    const owner = await hire('owner');
    const claimers: HubAgent[] = [];
    for (let index = 0; index < CLAIMERS; index += 1) claimers.push(await hire(`claimer-${index}`));
    return new ClaimRace(hubs, owner, claimers);
  }

  private constructor(hubs: readonly RunningHub[], owner: HubAgent, claimers: readonly HubAgent[]) {
    this.#hubs = hubs;
    this.#owner = owner;
    this.#claimers = claimers;
  }

  get claimers(): readonly HubAgent[] {
    return this.#claimers;
  }

  /** Calls a method through the hubs in turn. */
  call(method: string, params: Json, { headers }: HubAgent, hubs = this.#hubs): Promise<{ body: Json }> {
    const hub = hubs[(this.#requests += 1) % hubs.length] as RunningHub;
    return hub.rpc(method, params, headers);
  }

  /** Starts a task that waits for its next step, and offers it to everybody. */
  async offer(leaseSeconds = 60): Promise<{ taskId: string; handoffId: string }> {
    const { id } = resultOf(await this.call('message/send', message('owner begins'), this.#owner));
    const offer = { task_id: id, lease_seconds: leaseSeconds };
    const { handoff_id } = resultOf(await this.call('handoff/offer', offer, this.#owner));
    return { taskId: String(id), handoffId: String(handoff_id) };
  }

  /** All agents claim at once; the one that wins, and its lease. */
  async claim(handoffId: string, hubs = this.#hubs): Promise<{ winner: HubAgent; lease: Json }> {
    const claims = await Promise.all(
      this.#claimers.map(async (agent) => ({
        agent,
        answer: await this.call('handoff/claim', { handoff_id: handoffId }, agent, hubs),
      })),
    );
    const winners = claims.filter(({ answer }) => 'result' in answer.body);
    const losers = claims.filter(({ answer }) => 'error' in answer.body);
    expect(winners.map(({ agent }) => agent.agentId)).toHaveLength(1);
    for (const { answer } of losers)
      expect(errorOf(answer).data).toMatchObject({ details: { reason: 'already_claimed' } });
    const [first] = winners;
    if (first === undefined) throw new Error('No claim succeeded.');
    const { lease_token } = resultOf(first.answer);
    return { winner: first.agent, lease: { handoff_id: handoffId, lease_token } };
  }

  /** One whole race: everybody claims, while the owner goes on and a loser uses the lease of the winner. */
  async run(): Promise<RaceOutcome> {
    const { taskId, handoffId } = await this.offer();
    const driving = this.#driveAsOwner(taskId);
    const { winner, lease } = await this.claim(handoffId);
    const loser = this.#claimers.find((agent) => agent !== winner) as HubAgent;
    const stealing = this.call('message/send', { ...lease, ...message('loser steals') }, loser);
    await this.finish(winner, lease);
    expect(errorOf(await stealing).data).toMatchObject({ details: { reason: 'lease_lost' } });
    const { accepted, refused } = await driving;
    await this.expectSteps(taskId, winner, accepted);
    return { ownerSteps: accepted.length, ownerRefusals: refused };
  }

  /** The successor makes its steps, the last of which ends the task. */
  async finish({ agentId, ...agent }: HubAgent, lease: Json, hubs = this.#hubs): Promise<void> {
    for (const step of [...Array.from({ length: STEPS }, (_, index) => `step ${index}`), 'finish']) {
      const params = { ...lease, ...message(`${agentId} ${step}`) };
      const result = resultOf(await this.call('message/send', params, { agentId, ...agent }, hubs));
      expect(result).toMatchObject({
        status: { state: step === 'finish' ? 'completed' : 'input-required' },
      });
    }
  }

  /** The journal has the accepted steps of the owner, then those of the winner: each once, and nothing in between or after. */
  async expectSteps(
    taskId: string,
    winner: HubAgent,
    ownerSteps: readonly string[],
    hubs = this.#hubs,
  ): Promise<void> {
    const result = resultOf(await this.call('tasks/get', { task_id: taskId }, this.#owner, hubs));
    expect(result).toMatchObject({ status: { state: 'completed' } });
    const { artifacts } = result as { artifacts: { parts: { text: string }[] }[] };
    const steps = (artifacts[0]?.parts ?? [])
      .map(({ text }) => text)
      .join('')
      .trimEnd()
      .split('\n');
    const own = Array.from({ length: STEPS }, (_, index) => `${winner.agentId} step ${index}`);
    expect(steps).toEqual(['owner begins', ...ownerSteps, ...own, `${winner.agentId} finish`]);
  }

  /** The old driver, which does not know that its task is offered: goes on until it is refused. */
  async #driveAsOwner(taskId: string): Promise<{ accepted: string[]; refused: number }> {
    const accepted: string[] = [];
    for (let step = 0; ; step += 1) {
      const text = `owner step ${step}`;
      const answer = await this.call('message/send', { ...message(text), task_id: taskId }, this.#owner);
      if ('error' in answer.body) {
        const reason = JSON.stringify(errorOf(answer));
        expect(reason).toMatch(/handed_over|has already ended|has ended/);
        return { accepted, refused: 1 };
      }
      accepted.push(text);
    }
  }
}
