import { isLoopback } from '@holdword/net/internal';
import { REQUEST_ORIGIN } from '../config/account-config.ts';
import { asObject } from '../config/as-object.ts';

/** One of the two things that must be there before a call can arrive. */
export interface Prerequisite {
  readonly name: 'public-base-url' | 'gateway-reachable';
  readonly met: boolean;
  /** What is so, and what to do where it is not enough. */
  readonly message: string;
}

const OPEN_THE_GATEWAY =
  'Set gateway.bind to "lan", "tailnet" or "custom" with gateway.customBindHost, or gateway.tailscale.mode to ' +
  '"serve" or "funnel". A proxy or tunnel on this machine that forwards to the gateway is enough, too.';

const TAILSCALE = {
  serve: 'Tailscale Serve opens it to the tailnet.',
  funnel: 'Tailscale Funnel opens it to the internet.',
};

/** Says which of the two prerequisites of an account are met, from its public URL and the section `gateway`. */
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
      message: 'publicBaseUrl is missing. Set it to the URL under which others reach this gateway.',
    };
  }
  const message =
    url === REQUEST_ORIGIN
      ? 'advertisedUrl is not set: the card names the address under which it was asked for.'
      : `The card names ${url}.`;
  return { name, met: true, message };
}

function checkGateway(publicBaseUrl: string | undefined, gateway: Record<string, unknown>): Prerequisite {
  const name = 'gateway-reachable';
  const tailscale = asObject(gateway['tailscale'])['mode'];
  const bind = gateway['bind'] ?? 'loopback';
  if (tailscale === 'serve' || tailscale === 'funnel') return checkTailscale(tailscale, bind, gateway);
  if (bind === 'lan' || bind === 'tailnet') {
    return { name, met: true, message: `gateway.bind is "${bind}": it listens beyond this machine.` };
  }
  if (bind === 'custom') return checkCustomBind(gateway['customBindHost']);
  if (isLocalUrl(publicBaseUrl)) {
    return { name, met: true, message: 'The public URL is one of this machine, and so are the callers.' };
  }
  return {
    name,
    met: false,
    message: `gateway.bind is ${JSON.stringify(bind)}: nobody outside this machine can connect. ${OPEN_THE_GATEWAY}`,
  };
}

/** Tailscale forwards to the loopback address, and OpenClaw refuses to listen elsewhere beside it. */
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
    `gateway.tailscale.mode is "${mode}", but gateway.bind is ${JSON.stringify(bind)}: OpenClaw wants "loopback" beside ` +
    'Tailscale, which forwards to it. Set gateway.bind to "loopback".';
  return { name, met: false, message };
}

function checkCustomBind(host: unknown): Prerequisite {
  const name = 'gateway-reachable';
  if (typeof host !== 'string' || host === '') {
    const message = 'gateway.bind is "custom", but gateway.customBindHost is missing. Set it to an address.';
    return { name, met: false, message };
  }
  return isLoopback(host)
    ? {
        name,
        met: false,
        message: `gateway.customBindHost is ${host}: only this machine reaches that. ${OPEN_THE_GATEWAY}`,
      }
    : { name, met: true, message: `It listens on ${host}.` };
}

function isLocalUrl(url: string | undefined): boolean {
  return url !== undefined && URL.canParse(url) && isLoopback(new URL(url).hostname);
}
