import {
  createGuardedClient,
  isConnectionError,
  toConnectionError,
  type GuardedClient,
} from '@holdword/net/internal';
import { asObject } from '@holdword/protocol/internal';
import { CommandError } from '../usage-error.ts';
import { KeyExchange, type SealedChannel } from './key-exchange.ts';
import type { Invitation } from './pairing-code.ts';
import {
  introductionSchema,
  outcomeSchema,
  type Introduction,
  type Outcome,
  type Refusal,
} from './pairing-offer.ts';
import { z } from 'zod';

/** The other side calls this one before it answers, which may be a turn of a model. */
const STEP_MILLISECONDS = 180_000;
const MOST_BYTES = 64 * 1024;

const meetingSchema = z.object({ introduction: introductionSchema, outcome: outcomeSchema });

/** What the other side says, and what it found when it called this one. */
export interface Meeting {
  readonly other: Introduction;
  readonly outcome: Outcome;
  /** Tells the other side whether this one could use what it got. */
  confirm(outcome: Outcome): Promise<void>;
}

const REFUSALS: Readonly<Record<Refusal, string>> = {
  'wrong-code': 'The code is wrong. Check it; it is good for a few attempts only.',
  used: 'The code was used already. If that was not you, revoke the key that was made for it. Run holdword pair there again.',
  expired: 'The code is too old: it is good for ten minutes. Run holdword pair there again.',
  'too-many-attempts': 'Too many wrong codes were tried. Run holdword pair there again for a new code.',
};

/** Proves to the other side that this one has the code, and tells it who this is. @throws CommandError if it refuses */
export async function joinOffer({ code, origin }: Invitation, own: Introduction): Promise<Meeting> {
  const client = createGuardedClient({ trustedOrigins: [origin] });
  const close = (): void => client.close();
  try {
    const exchange = new KeyExchange('join', code);
    const { id, value } = await post(client, `${origin}/pairing/start`, { value: exchange.publicValue });
    const channel = exchange.channelWith(String(value));
    if (channel === undefined) throw notAnOffer(origin);
    const answer = await post(client, `${origin}/pairing/introduce`, { id, sealed: channel.seal(own) });
    const { introduction: other, outcome } = readMeeting(channel, answer['sealed']);
    return {
      other,
      outcome,
      confirm: async (found) => {
        await post(client, `${origin}/pairing/confirm`, { sealed: channel.seal(found) }).finally(close);
      },
    };
  } catch (error) {
    close();
    throw isConnectionError(error)
      ? new CommandError(
          `Nobody offers to pair at ${origin}: ${error.message}. A code is good once and for ten minutes; run holdword pair there again.`,
        )
      : error;
  }
}

/** An answer that was sealed with another code comes from somebody else. */
function readMeeting(channel: SealedChannel, sealed: unknown) {
  const { data } = meetingSchema.safeParse(channel.open(String(sealed)));
  if (data !== undefined) return data;
  throw new CommandError('The answer is not from the side that has the code. Nothing was kept.');
}

async function post(
  client: GuardedClient,
  url: string,
  body: object,
): Promise<Readonly<Record<string, unknown>>> {
  const { status, body: text } = await client
    .send({
      url,
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      timeoutMilliseconds: STEP_MILLISECONDS,
      maxResponseBytes: MOST_BYTES,
    })
    .catch((error: unknown) => {
      throw toConnectionError(error);
    });
  const answer = parsed(text);
  if (status === 200) return answer;
  const why = REFUSALS[answer['refused'] as Refusal];
  throw why === undefined ? notAnOffer(new URL(url).origin) : new CommandError(why);
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return {};
  }
}

function notAnOffer(origin: string): CommandError {
  return new CommandError(`Another program answers at ${origin}. Use the address that holdword pair prints.`);
}
