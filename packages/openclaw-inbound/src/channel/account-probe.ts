import { isLoopback } from '@holdword/net/internal';
import { asObject } from '@holdword/protocol/internal';
import { REQUEST_ORIGIN } from '../config/account-config.ts';
import type { AccountEntry } from '../config/read-accounts.ts';
import { CLOSE_IT, describeAccess, isOpen } from './describe-access.ts';
import { configReasons, describeReasons, type Reason } from './reasons.ts';

/** The result of `openclaw channels status --probe` for an account. */
export interface AccountProbe {
  /** The account can start. Whether requests arrive depends on the network; `prerequisites` lists what may be missing. */
  readonly ok: boolean;
  /** Why it cannot start. */
  readonly error?: string;
  readonly reasons: readonly Reason[];
  readonly prerequisites: readonly Prerequisite[];
  readonly warnings: readonly string[];
  /** Who may call, and what they get. Absent if the account is invalid. */
  readonly access?: { readonly open: boolean; readonly summary: string };
}

/** Checks whether an account's configuration allows it to start, and whether requests can reach it. */
export function probeAccount(entry: AccountEntry, gateway: unknown): AccountProbe {
  const reasons = configReasons(entry);
  // An invalid configuration has no known URL, so that nothing can be said about its network, and one that connects needs none.
  const prerequisites =
    entry.config === undefined || entry.config.connect !== undefined
      ? []
      : checkNetworking(entry.config.publicBaseUrl, gateway);
  return {
    ok: reasons.length === 0,
    ...(reasons.length > 0 && { error: describeReasons(reasons) }),
    reasons,
    prerequisites,
    warnings: entry.warnings,
    ...(entry.config !== undefined && {
      access: { open: isOpen(entry.config), summary: describeAccess(entry.config) },
    }),
  };
}

/** What the operator should know about the callers of an account. */
export function accessIssue({ ok, access }: AccountProbe): string | undefined {
  return ok && access?.open === true ? `${access.summary} ${CLOSE_IT}` : undefined;
}

/** The issues for an operator. About the network of an account that does not run there is nothing to do yet. */
export function probeIssues({ ok, reasons, prerequisites, warnings }: AccountProbe): string[] {
  const missing = ok ? prerequisites.filter(({ met }) => !met) : [];
  const issues = [
    ...reasons.map((reason) => describeReasons([reason])),
    ...missing.map(({ message }) => message),
  ];
  return issues.concat(warnings);
}

/** One of the two prerequisites for incoming requests. */
export interface Prerequisite {
  readonly name: 'public-base-url' | 'gateway-reachable';
  readonly met: boolean;
  /** The finding, and how to fix it if the prerequisite is not met. */
  readonly message: string;
}

const OPEN_THE_GATEWAY =
  'Set gateway.bind to "lan", "tailnet" or "custom" with gateway.customBindHost, or gateway.tailscale.mode to ' +
  '"serve" or "funnel". Alternatively, run a proxy or tunnel on this machine that forwards to the gateway.';

const TAILSCALE = {
  serve: 'Tailscale Serve exposes the gateway to the tailnet.',
  funnel: 'Tailscale Funnel exposes the gateway to the internet.',
};

/** Checks both prerequisites of an account, from its public URL and OpenClaw's `gateway` section. */
export function checkNetworking(
  publicBaseUrl: string | undefined,
  gateway: unknown,
): [Prerequisite, Prerequisite] {
  return [checkPublicBaseUrl(publicBaseUrl), checkGateway(publicBaseUrl, asObject(gateway))];
}

function checkPublicBaseUrl(url: string | undefined): Prerequisite {
  const name = 'public-base-url';
  if (url === undefined) {
    return {
      name,
      met: false,
      message: 'publicBaseUrl is missing. Set it to the URL at which other agents reach this gateway.',
    };
  }
  const message =
    url === REQUEST_ORIGIN
      ? 'advertisedUrl is not set: the agent card contains the address of each request.'
      : `The agent card contains ${url}.`;
  return { name, met: true, message };
}

function checkGateway(publicBaseUrl: string | undefined, gateway: Record<string, unknown>): Prerequisite {
  const name = 'gateway-reachable';
  const tailscale = asObject(gateway['tailscale'])['mode'];
  const bind = gateway['bind'] ?? 'loopback';
  if (tailscale === 'serve' || tailscale === 'funnel') return checkTailscale(tailscale, bind, gateway);
  if (bind === 'lan' || bind === 'tailnet') {
    return { name, met: true, message: `gateway.bind is "${bind}": other machines can connect.` };
  }
  if (bind === 'custom') return checkCustomBind(gateway['customBindHost']);
  if (isLocalUrl(publicBaseUrl)) {
    return {
      name,
      met: true,
      message: 'publicBaseUrl is a loopback address: only local programs can connect.',
    };
  }
  return {
    name,
    met: false,
    message: `gateway.bind is ${JSON.stringify(bind)}: other machines cannot connect. ${OPEN_THE_GATEWAY}`,
  };
}

/** Tailscale forwards to the loopback address, and OpenClaw requires a loopback bind with Tailscale. */
function checkTailscale(
  mode: keyof typeof TAILSCALE,
  bind: unknown,
  { customBindHost }: Record<string, unknown>,
): Prerequisite {
  const name = 'gateway-reachable';
  const isCustomLoopback =
    bind === 'custom' && typeof customBindHost === 'string' && isLoopback(customBindHost);
  if (bind === 'loopback' || bind === 'auto' || isCustomLoopback) {
    return { name, met: true, message: TAILSCALE[mode] };
  }
  const message =
    `gateway.tailscale.mode is "${mode}", but gateway.bind is ${JSON.stringify(bind)}: with Tailscale, OpenClaw requires ` +
    '"loopback". Set gateway.bind to "loopback".';
  return { name, met: false, message };
}

function checkCustomBind(host: unknown): Prerequisite {
  const name = 'gateway-reachable';
  if (typeof host !== 'string' || host === '') {
    const message =
      'gateway.bind is "custom", but gateway.customBindHost is missing. Set it to the address to listen on.';
    return { name, met: false, message };
  }
  return isLoopback(host)
    ? {
        name,
        met: false,
        message: `gateway.customBindHost is ${host}: other machines cannot connect. ${OPEN_THE_GATEWAY}`,
      }
    : { name, met: true, message: `The gateway listens on ${host}.` };
}

function isLocalUrl(url: string | undefined): boolean {
  return url !== undefined && URL.canParse(url) && isLoopback(new URL(url).hostname);
}
