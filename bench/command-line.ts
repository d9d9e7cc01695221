import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';

export const USAGE = `Usage: npm run bench -- send|stream|replicas|growth|adapter|artifacts|hub|inbound|outbound [options]

  send      blocking sends of an echo task: requests/s and latency of four servers
  stream    streams of 100 and 1,000 chunks: events/s of the same servers
  replicas  blocking sends on PostgreSQL, one and two servers, and how soon events reach the other one
  growth    what holdword's work costs as journals, subscribers and tasks grow
  adapter   what wrapping a command-line agent costs beyond its program, and OpenClaw's gateway against its command line
  artifacts what it costs to make large artifacts short enough for a model
  hub       registrations, messages and heartbeats of agents on the hub, and what they cost when it knows many
  inbound   a text turn of OpenClaw by its own A2A channel and by the inbound plugin (installs it)
  outbound  what a call of the tool remote_agent costs beyond one by the official client, warm and cold

  --rounds N     interleaved rounds whose median counts (send, stream, replicas, hub)
  --seconds N    how long each server is under load in one round, at least (send, stream, replicas, hub)
  --data DIR     where the servers keep their data while they run; must be on a real disk
  --quick        small numbers, to see that the bench works
  --json         print one JSON object instead of tables

The exit code is 1 when a target is missed, 2 when the command line is wrong.`;

export interface CommandLine {
  readonly bench: string;
  readonly rounds: number | undefined;
  readonly seconds: number | undefined;
  readonly dataFolder: string;
  readonly quick: boolean;
  readonly json: boolean;
}

/** What the command line asks for; `help` when it asks for help. Throws with what is wrong. */
export function readCommandLine(
  arguments_: readonly string[],
  benches: readonly string[],
): CommandLine | 'help' {
  const { values, positionals } = parseArgs({
    args: [...arguments_],
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      data: { type: 'string', default: tmpdir() },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false, short: 'h' },
    },
  });
  if (values.help) return 'help';
  const [bench = ''] = positionals;
  if (!benches.includes(bench) || positionals.length > 1) {
    throw new Error(`Expected one of ${benches.join(', ')}, found "${positionals.join(' ')}".`);
  }
  return {
    bench,
    rounds: positiveNumber('rounds', values.rounds),
    seconds: positiveNumber('seconds', values.seconds),
    dataFolder: values.data,
    quick: values.quick,
    json: values.json,
  };
}

function positiveNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`Expected --${name} to be a number above 0, found "${text}".`);
}
