import type { Sample } from './heartbeat-series.ts';

/** How often an agent should be heard of, and why; in the names of the wire. */
export interface Cadence {
  mode: 'steady' | 'incident';
  seconds: number;
  min_seconds: number;
  max_seconds: number;
  reasons: string[];
}

const STEADY = { usual: 45 * 60, min: 30 * 60, max: 60 * 60 };
const INCIDENT = { usual: 60, min: 30, max: 120 };

/** Without a past of its own, an agent is measured by these. */
const MANY_ERRORS = 10;
const SLOW_MILLISECONDS = 10_000;
const LONG_QUEUE = 100;
/** With one, by how far it is above what was usual for it. */
const TIMES_USUAL = 2;
const ENOUGH_PAST = 4;
/** Below these a multiple of the usual says nothing. */
const FLOOR = { errors: 3, p95: 1_000, queue: 10 };

/** Reads the cadence from an agent's own figures: the newest, compared with those before. */
export function recommendCadence(samples: readonly Sample[]): Cadence {
  const newest = samples.at(-1);
  if (newest === undefined) return steady(STEADY.usual, ['no figures yet']);
  const earlier = samples.slice(0, -1);
  const signs = [
    sign('errors in the last hour', newest.errors, figuresOf(earlier, 'errors'), MANY_ERRORS, FLOOR.errors),
    sign('latency (p95, ms)', newest.p95, figuresOf(earlier, 'p95'), SLOW_MILLISECONDS, FLOOR.p95),
    sign('queue depth', newest.queue, figuresOf(earlier, 'queue'), LONG_QUEUE, FLOOR.queue),
  ].filter((each) => each !== undefined);
  if (signs.length > 0) return incident(signs);
  if ((newest.errors ?? 0) > 0) return steady(STEADY.min, [`${newest.errors} errors in the last hour`]);
  return steady(STEADY.usual, ['the figures are as usual']);
}

/** The more signs, the sooner; one alone may be chance. */
function incident(signs: string[]): Cadence {
  const seconds = signs.length === 1 ? INCIDENT.max : signs.length === 2 ? INCIDENT.usual : INCIDENT.min;
  return {
    mode: 'incident',
    seconds,
    min_seconds: INCIDENT.min,
    max_seconds: INCIDENT.max,
    reasons: signs,
  };
}

function steady(seconds: number, reasons: string[]): Cadence {
  return { mode: 'steady', seconds, min_seconds: STEADY.min, max_seconds: STEADY.max, reasons };
}

function sign(
  name: string,
  value: number | null,
  earlier: readonly number[],
  high: number,
  floor: number,
): string | undefined {
  if (value === null) return undefined;
  if (value >= high) return `${name}: ${value}, which is high`;
  if (earlier.length < ENOUGH_PAST || value < floor) return undefined;
  const usual = median(earlier);
  return value > usual * TIMES_USUAL ? `${name}: ${value}, usually about ${usual}` : undefined;
}

function figuresOf(samples: readonly Sample[], name: 'errors' | 'p95' | 'queue'): number[] {
  return samples.map((sample) => sample[name]).filter((value) => value !== null);
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
