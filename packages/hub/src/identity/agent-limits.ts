import { RateLimiter } from '@holdword/runtime/internal';
import type { HubSettings } from '../hub-settings.ts';
import { HubError } from '../wire/hub-error.ts';

/** What each limit counts, and for whom, by its name in the settings. */
const LIMITS = {
  requestsPerMinute: ['requests', 'one address, without the headers of an agent'],
  agentRequestsPerMinute: ['requests', 'one agent or caller'],
  messagesPerMinute: ['messages', 'one agent'],
  heartbeatsPerMinute: ['heartbeats', 'one agent'],
  registrationsPerMinute: ['registrations', 'one caller'],
} as const satisfies Partial<Record<keyof HubSettings, readonly [string, string]>>;
export type LimitName = keyof typeof LIMITS;

const ADVICE: Partial<Record<LimitName, string>> = {
  requestsPerMinute: ' Agents that send x-delx-agent-id and x-delx-agent-token have a limit of their own.',
};

/** How often each agent may do what, so that one of a fleet does not use up what the others need. */
export class AgentLimits {
  readonly #limiters = new Map<LimitName, RateLimiter>();

  constructor(settings: Pick<HubSettings, LimitName>) {
    for (const name of Object.keys(LIMITS) as LimitName[])
      if (settings[name] > 0) this.#limiters.set(name, new RateLimiter(settings[name]));
  }

  /** Counts one for `who`. Throws a HubError that says when to try again if that is one too many. */
  take(name: LimitName, who: string): void {
    const limiter = this.#limiters.get(name);
    const allowance = limiter?.take(who);
    if (limiter === undefined || allowance?.allowed !== false) return;
    const seconds = Math.max(1, Math.ceil(allowance.resetSeconds));
    const [what, whose] = LIMITS[name];
    throw new HubError(
      'DELX-A2A-1099',
      `Rate limit exceeded (${limiter.perMinute} ${what} per minute of ${whose}).`,
      {
        hint: `Try again in ${seconds} s.${ADVICE[name] ?? ''} The operator changes the limit with hubOptions.${name}.`,
        details: { reason: 'rate_limited', limit: name, retry_after_seconds: seconds },
        httpStatus: 429,
        headers: { 'Retry-After': String(seconds) },
      },
    );
  }
}
