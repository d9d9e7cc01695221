import { hostname } from 'node:os';
import { Deadline, unlessAborted } from '@holdword/protocol/internal';
import { isLoopback, listenError } from '@holdword/net/internal';
import { isWildcard } from '@holdword/runtime/internal';
import { withoutControls } from '../calling/task-text.ts';
import type { Command, CommandInput, OptionDescription } from '../command-line/command.ts';
import { JSON_OPTION, printData } from '../command-line/json-output.ts';
import { settingOptions } from '../config/describe-settings.ts';
import { CONFIG_OPTION } from '../config/resolve-config.ts';
import { checkPeer } from '../pairing/check-peer.ts';
import { joinOffer } from '../pairing/join-offer.ts';
import { linkOf, newCode, readInvitation, showCode } from '../pairing/pairing-code.ts';
import {
  openOffer,
  OFFER_MILLISECONDS,
  type Introduction,
  type Outcome,
  type Refusal,
} from '../pairing/pairing-offer.ts';
import { plainName, type IssuedKey, type PairingSide } from '../pairing/pairing-side.ts';
import { CommandError, UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';

const PAGE = 'guides/connect-two-agents.md';

const SIDE_OPTIONS = {
  name: { value: 'NAME', description: 'What the other side calls this one', default: 'the name on the card' },
  as: { value: 'NAME', description: 'What this side calls the other one', default: 'its own name' },
  url: {
    value: 'URL',
    description: 'Address of the agent of this side',
    default: 'that of the server of this folder',
  },
  openclaw: { description: 'This side is OpenClaw, with the plugins of Holdword' },
  account: {
    value: 'NAME',
    description: 'With --openclaw: the account of the channel a2a',
    default: 'the first',
  },
  'skip-message': {
    description: 'Do not send a message to the other agent; check its card and the key only',
  },
  ...JSON_OPTION,
  ...settingOptions(['host', 'port', 'publicUrl', 'data', 'store', 'storeSchema']),
  config: CONFIG_OPTION,
} satisfies Record<string, OptionDescription>;

const pair: Command = {
  ...listed('pair'),
  details:
    'Prints a code and a link, and waits for the other side to use one of them: holdword join. The code is good once, for ten minutes ' +
    'and for five attempts. Both sides then give each other a key, call each other, and keep the result only if that works.',
  options: {
    'pair-host': {
      value: 'ADDRESS',
      description: 'Address to wait on; 0.0.0.0 for another machine to reach it',
      default: '127.0.0.1',
    },
    'pair-port': { value: 'N', description: 'Port to wait on', default: 'a free one' },
    'pair-address': {
      value: 'HOST:PORT',
      description: 'By which address the other side reaches it, if not by that',
    },
    ...SIDE_OPTIONS,
  },
  examples: [
    { comment: 'Wait for a program on this machine', command: 'holdword pair' },
    { comment: 'Wait for another machine', command: 'holdword pair --pair-host 0.0.0.0 --pair-port 4330' },
  ],
  page: PAGE,
  async run(input) {
    const side = await openSide(input, true);
    const [host, code] = [input.options['pair-host'] ?? '127.0.0.1', newCode()];
    const wrong: Refusal[] = [];
    const ended = Promise.withResolvers<Paired>();
    let met: Met | undefined;
    const port = readPort(input.options['pair-port']);
    const offer = await openOffer({
      code,
      host,
      port,
      meet: async (other) => {
        met = await meet(input, side, other);
        return { introduction: met.own, outcome: met.outcome };
      },
      finish: async (theirs) => {
        if (met !== undefined) ended.resolve(await settle(side, met, theirs));
      },
      refused: (why) => {
        wrong.push(why);
        input.terminal.error(`${REFUSED[why]}\n`);
        if (why === 'too-many-attempts')
          ended.reject(new CommandError('Too many wrong codes were tried. Run holdword pair again.'));
      },
    }).catch((error: unknown) => {
      throw new CommandError(listenError(error, host, port).message);
    });
    try {
      announce(input, side, code, input.options['pair-address'] ?? addressOf(host, offer.port));
      using deadline = new Deadline(OFFER_MILLISECONDS);
      const paired = await unlessAborted(ended.promise, deadline.signal).catch((error: unknown) => {
        throw deadline.signal.aborted
          ? new CommandError('Nobody joined within ten minutes. Run holdword pair again.')
          : error;
      });
      return tell(input, paired);
    } catch (error) {
      await met?.issued?.revoke();
      throw error;
    } finally {
      await offer.close();
    }
  },
};

const REFUSED: Readonly<Record<Refusal, string>> = {
  'wrong-code': 'Somebody tried a wrong code, and was refused.',
  used: 'Somebody tried the code again, and was refused.',
  expired: 'Somebody tried the code too late, and was refused.',
  'too-many-attempts': 'Somebody tried another code, and was refused.',
};

function announce(
  { terminal, options }: CommandInput,
  side: PairingSide,
  code: string,
  address: string,
): void {
  const origin = /^https?:\/\//.test(address) ? address : `http://${address}`;
  const link = linkOf({ code, origin });
  if (options['json'] !== undefined)
    return terminal.announce(`${JSON.stringify({ code: showCode(code), address, link })}\n`);
  terminal.announce(
    [
      `To connect with ${terminal.style('bold', side.name)}, run this on the other side within ten minutes:`,
      '',
      `  holdword join ${showCode(code)}@${address}`,
      '',
      `or give it the link: ${link}`,
      'Who has the code first gets the connection. Press Ctrl-C to stop.',
      '',
    ].join('\n'),
  );
}

function addressOf(host: string, port: number): string {
  const shown = isWildcard(host) ? hostname() : host.includes(':') ? `[${host}]` : host;
  return `${isLoopback(host) ? '127.0.0.1' : shown}:${port}`;
}

function readPort(text = '0'): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new UsageError(`--pair-port: expected a port number from 0 to 65535, found "${text}".`);
}

const join: Command = {
  ...listed('join'),
  details:
    'Proves that you have the code without sending it. Both sides then give each other a key, call each other, and keep the result only ' +
    'if that works. If no server runs in this folder, this side gets a key and gives none.',
  options: SIDE_OPTIONS,
  examples: [
    {
      comment: 'Join with the code that holdword pair printed',
      command: 'holdword join 7K3M-9QXA@192.168.1.5:4330',
    },
    {
      comment: 'Connect the agent of OpenClaw',
      command: 'holdword join 7K3M-9QXA@192.168.1.5:4330 --openclaw',
    },
  ],
  page: PAGE,
  async run(input) {
    const invitation = readInvitation(input.operands[0] ?? '');
    const side = await openSide(input, false);
    const issued =
      side.url === undefined
        ? undefined
        : await side.issueKey(`paired-with-${plainName(new URL(invitation.origin).hostname)}`);
    try {
      const own = introduce(side, issued);
      const meeting = await joinOffer(invitation, own);
      const outcome = await callBack(input, meeting.other);
      await meeting.confirm(outcome);
      const met: Met = { own, other: meeting.other, issued, outcome };
      return tell(input, await settle(side, met, meeting.outcome));
    } catch (error) {
      await issued?.revoke().catch(() => {});
      throw error;
    }
  },
};

async function openSide(input: CommandInput, needsAgent: boolean): Promise<PairingSide> {
  if (input.options['openclaw'] === undefined) {
    const { openServerSide } = await import('../pairing/server-side.ts');
    return openServerSide(input, needsAgent);
  }
  const { openOpenClawSide } = await import('../pairing/openclaw-side.ts');
  return openOpenClawSide(input);
}

/** What both sides know once they have met. */
interface Met {
  readonly own: Introduction;
  readonly other: Introduction;
  readonly issued: IssuedKey | undefined;
  /** What calling the other side has shown. */
  readonly outcome: Outcome;
}

function introduce({ name, url }: PairingSide, issued: IssuedKey | undefined): Introduction {
  return { name, ...(url !== undefined && { url }), ...(issued !== undefined && { key: issued.key }) };
}

async function meet(input: CommandInput, side: PairingSide, other: Introduction): Promise<Met> {
  const issued = side.url === undefined ? undefined : await side.issueKey(plainName(other.name));
  return { own: introduce(side, issued), other, issued, outcome: await callBack(input, other) };
}

async function callBack(input: CommandInput, { url, ...other }: Introduction): Promise<Outcome> {
  return url === undefined ? {} : checkPeer(input, { ...other, url });
}

/** What a pairing has led to. */
interface Paired {
  readonly other: Introduction;
  readonly problems: readonly string[];
  /** What the user can do now. */
  readonly kept: readonly string[];
}

/** Keeps the result if both sides can call each other as far as they have an agent; otherwise nothing. */
async function settle(side: PairingSide, { other, issued, outcome }: Met, theirs: Outcome): Promise<Paired> {
  const problems = [outcome.problem, theirs.problem].filter((each) => each !== undefined);
  if (problems.length > 0) {
    await issued?.revoke();
    return { other, problems, kept: [] };
  }
  const { url } = other;
  const kept =
    url === undefined
      ? `${other.name} has no agent; it can call this one.`
      : await side.keep({ ...other, url });
  return {
    other,
    problems,
    kept: [kept, ...(issued === undefined ? [] : [`It calls this side with the ${issued.described}`])],
  };
}

function tell(input: CommandInput, { other, problems, kept }: Paired): number {
  const connected = problems.length === 0;
  printData(input, { connected, name: other.name, url: other.url ?? null, problems, kept }, () => {
    if (connected)
      input.terminal.out(`Connected with ${other.name}.\n${kept.map((line) => `${line}\n`).join('')}`);
  });
  if (!connected) {
    throw new CommandError(
      `Not connected with ${other.name}; nothing was kept. ${problems.map(withoutControls).join(' ')} Look for the reason with: holdword doctor -a URL`,
    );
  }
  return 0;
}

export const commands: readonly Command[] = [pair, join];
