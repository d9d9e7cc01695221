import { createGuardedClient, type TlsSettings } from '@holdword/net/internal';
import type { CommandInput } from '../../command-line/command.ts';
import { refreshToken } from './request-token.ts';
import { StoredTokens, type StoredToken } from './stored-tokens.ts';

/** A token that is about to expire is not sent: the request may take its time. */
const MARGIN_MILLISECONDS = 30_000;

/** The token of a login for an agent, renewed if it has expired. A login that is of no use any more is said, not sent. */
export async function tokenFor(
  agent: string,
  environment: CommandInput['environment'],
  tls: TlsSettings | undefined,
  signal: AbortSignal,
): Promise<{ token?: string; warning?: string } | undefined> {
  const store = new StoredTokens(environment);
  const stored = await store.get(agent);
  if (stored === undefined) return undefined;
  if (!isExpired(stored)) return { token: stored.accessToken };
  if (stored.refreshToken === undefined) return { warning: EXPIRED };
  // Where the login went, which the user has seen and confirmed.
  const client = createGuardedClient({ trustedOrigins: [new URL(stored.tokenUrl).origin], tls });
  try {
    const context = { client, oauthClient: { id: stored.clientId }, signal };
    const issued = await refreshToken(context, stored.tokenUrl, stored.refreshToken);
    await store.set(agent, { ...stored, ...issued });
    return { token: issued.accessToken };
  } catch {
    signal.throwIfAborted();
    return { warning: EXPIRED };
  } finally {
    client.close();
  }
}

const EXPIRED = 'Your login at this agent has expired and was not used. Renew it with holdword auth login.';

export function isExpired({ expiresAt = Infinity }: Pick<StoredToken, 'expiresAt'>): boolean {
  return expiresAt - MARGIN_MILLISECONDS < Date.now();
}
