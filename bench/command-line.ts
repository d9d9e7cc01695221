import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';

export const USAGE = `Usage: npm run bench -- send|stream|replicas|fairness|soak|growth|longpoll|adapter|artifacts|hub|inbound|outbound|connect|console|start [options]

  send      blocking sends of an echo task: requests/s and latency of four servers
  stream    streams of 100 and 1,000 chunks: events/s of the same servers
  replicas  blocking sends on PostgreSQL with one and two servers, and how fast events reach the other one
  fairness  latency of a well-behaved caller next to 20 that do their worst
  soak      memory, open files and disk of a server under mixed load for an hour
  growth    cost of operations as journals, subscribers and tasks grow
  longpoll  memory and CPU time of 1,000 requests that wait for a change of a task
  adapter   overhead of wrapping a command-line agent, and OpenClaw's gateway compared with its command line
  artifacts cost of shortening large artifacts for a model
  hub       registrations, messages and heartbeats on the hub, and their cost with many agents
  inbound   a text turn of OpenClaw through its own A2A channel and through the inbound plugin (installs OpenClaw)
  outbound  overhead of the tool remote_agent over the official client, warm and cold
  connect   a turn through host and worker over the same turn in the server; the memory of idle workers
  console   the console in a slow browser: its first load, long and live tasks, a million tasks
  start     how long commands take to start, compared with a Node that does nothing

  --rounds N     number of interleaved rounds; the result is their median (send, stream, replicas, fairness, hub)
  --seconds N    minimum load time of each server per round (send, stream, replicas, fairness, hub), or of the run (soak)
  --plot FILE    write a picture of the run, as SVG (soak)
  --data DIR     folder for the data of the servers; must be on a real disk
  --quick        small numbers, to check that the bench works
  --json         print one JSON object instead of tables

The exit code is 1 if a target is missed, 2 if the command line is invalid.`;

export interface CommandLine {
  readonly bench: string;
  readonly rounds: number | undefined;
  readonly seconds: number | undefined;
  readonly plotFile: string | undefined;
  readonly dataFolder: string;
  readonly quick: boolean;
  readonly json: boolean;
}

/** Parses the command line; returns `help` for a help request. Throws if it is invalid. */
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
      plot: { type: 'string' },
      data: { type: 'string', default: tmpdir() },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false, short: 'h' },
    },
  });
  if (values.help) return 'help';
  const [bench = ''] = positionals;
  if (!benches.includes(bench) || positionals.length > 1) {
    throw new Error(`Unknown bench "${positionals.join(' ')}"; use one of ${benches.join(', ')}.`);
  }
  return {
    bench,
    rounds: positiveNumber('rounds', values.rounds),
    seconds: positiveNumber('seconds', values.seconds),
    plotFile: values.plot,
    dataFolder: values.data,
    quick: values.quick,
    json: values.json,
  };
}

function positiveNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`--${name} must be a number above 0, found "${text}".`);
}
