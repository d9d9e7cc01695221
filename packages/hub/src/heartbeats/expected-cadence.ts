import type { JsonObject } from '@holdword/protocol';
import type { HubSettings } from '../hub-settings.ts';
import { invalidParameter } from '../wire/hub-error.ts';
import { recommendCadence } from './cadence.ts';
import type { HeartbeatSeries } from './heartbeat-series.ts';

/** How often the hub expects a sign of life from an agent, and how it knows. */
export interface ExpectedCadence {
  readonly seconds: number;
  readonly source: 'declared' | 'configured' | 'learned' | 'recommended';
}

/** Beats that are closer together count as one: a batch repeats the heartbeat it came from. */
export const MIN_CADENCE_SECONDS = 5;
export const MAX_CADENCE_SECONDS = 24 * 3_600;
const MIN_INTERVALS = 3;
const MAX_INTERVALS = 8;

/** Adds a heartbeat to the times that the agent's rhythm is learned from. */
export function addBeat(beats: readonly number[], at: number): readonly number[] {
  const last = beats.at(-1);
  if (last !== undefined && at - last < MIN_CADENCE_SECONDS * 1_000) return beats;
  return [...beats, at].slice(-(MAX_INTERVALS + 1));
}

/**
 * What the agent declared wins over the configuration, and its own rhythm over the recommended interval, which an agent
 * gets before its rhythm is known.
 */
export function expectedCadence(
  { declaredSeconds, beats = [], samples }: Pick<HeartbeatSeries, 'declaredSeconds' | 'beats' | 'samples'>,
  { cadenceSeconds }: Pick<HubSettings, 'cadenceSeconds'>,
): ExpectedCadence {
  if (declaredSeconds !== undefined) return { seconds: declaredSeconds, source: 'declared' };
  if (cadenceSeconds !== undefined) return { seconds: cadenceSeconds, source: 'configured' };
  const learned = learnCadence(beats);
  if (learned !== undefined) return { seconds: learned, source: 'learned' };
  return { seconds: recommendCadence(samples).seconds, source: 'recommended' };
}

/**
 * The upper quartile of the recent intervals. The median would be too short for an agent with two rhythms, and the
 * longest would be the outage it just returned from.
 */
function learnCadence(beats: readonly number[]): number | undefined {
  const intervals = beats
    .slice(1)
    .map((at, index) => at - (beats[index] ?? at))
    .toSorted((left, right) => left - right);
  if (intervals.length < MIN_INTERVALS) return undefined;
  const interval = intervals[Math.ceil(intervals.length * 0.75) - 1] ?? 0;
  return Math.min(Math.ceil(interval / 1_000), MAX_CADENCE_SECONDS);
}

/** The hub only guesses that an agent follows the recommended interval, so such an agent may be late by at least this. */
const MIN_GUESS_GRACE_SECONDS = 30;

/** How long after its last sign of life an agent is missing: after two missed beats, and a grace period. */
export function missingAfterSeconds(
  { seconds, source }: ExpectedCadence,
  { graceSeconds }: Pick<HubSettings, 'graceSeconds'>,
): number {
  if (source === 'recommended') return seconds + Math.max(MIN_GUESS_GRACE_SECONDS, seconds / 2);
  return 2 * seconds + graceSeconds;
}

/** The parameter with which an agent declares its cadence. */
export const CADENCE_FIELD = 'cadence_seconds';

/** Reads the declared cadence. Null takes an earlier declaration back; undefined keeps it. */
export function readDeclaredCadence(params: JsonObject): number | null | undefined {
  const value = params[CADENCE_FIELD];
  if (value === undefined || value === null) return value;
  if (typeof value === 'number' && value >= MIN_CADENCE_SECONDS && value <= MAX_CADENCE_SECONDS) return value;
  throw invalidParameter(
    CADENCE_FIELD,
    `a number from ${MIN_CADENCE_SECONDS} to ${MAX_CADENCE_SECONDS}`,
    value,
    `Send ${CADENCE_FIELD} as the seconds between two heartbeats, or omit it to let the hub learn them.`,
  );
}
