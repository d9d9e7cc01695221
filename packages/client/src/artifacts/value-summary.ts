import { createHash } from 'node:crypto';
import { compactJsonLength, prettyJsonLength } from './json-length.ts';
import { shortenValue } from './shorten.ts';

/** More values than this are never shorter than their summary. */
const MAX_VALUES_KEPT = 1_024;
/** Beyond this, "at least so many" tells a model enough. */
const MAX_UNIQUE_COUNTED = 10_000;
/** Values that differ only below this depth count as equal. */
const MAX_DEPTH_COMPARED = 100;
const SAMPLE_LENGTH = 200;

/** The summary of the values of one type. */
interface TypeSummary {
  readonly name: ValueType;
  readonly count: number;
  /** Share of all values, with one decimal. */
  readonly percentage: number;
  /** One of the values, chosen deterministically. */
  readonly sample_value: unknown;
  readonly [statistic: string]: unknown;
}

export interface ValuesSummary {
  readonly count: number;
  readonly unique_count?: number;
  /** Set if there are more distinct values than are counted. */
  readonly unique_count_is_minimum?: true;
  readonly types: readonly TypeSummary[];
}

interface TypeTally {
  readonly type: ValueType;
  count: number;
  sample: unknown;
  readonly statistics: Statistics;
}

/**
 * Summarizes a stream of values in one pass and in bounded memory. Responsible for counts, distinct values, and the
 * statistics and a sample of each type. Leaves the source of the values to its callers.
 */
export class ValueSummary {
  readonly #tallies = new Map<ValueType, TypeTally>();
  readonly #unique = new Set<unknown>();
  /** Chooses samples: random enough, and the same every time. */
  #random = 1;
  /** The tally of the previous value: the values of a column mostly have one type. */
  #latest: TypeTally | undefined;
  #count = 0;
  readonly #kept: unknown[] = [];

  add(value: unknown): void {
    this.#count += 1;
    if (this.#count <= MAX_VALUES_KEPT) this.#kept.push(value);
    if (this.#unique.size < MAX_UNIQUE_COUNTED) this.#unique.add(identityOf(value));
    const tally = this.#tallyOf(typeOfValue(value));
    tally.count += 1;
    // Reservoir sampling: the nth value replaces the sample with probability 1/n.
    if (this.#nextRandom() * tally.count < 1) tally.sample = value;
    if (typeof value === 'string') tally.statistics.add(value.length);
    else if (typeof value === 'number') tally.statistics.add(value);
    else if (Array.isArray(value)) tally.statistics.add(value.length);
    else if (typeof value === 'object' && value !== null) tally.statistics.add(compactJsonLength(value));
  }

  /** A linear congruential generator: a number from 0 to 1. */
  #nextRandom(): number {
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#random / 2 ** 32;
  }

  #tallyOf(type: ValueType): TypeTally {
    if (this.#latest?.type === type) return this.#latest;
    let tally = this.#tallies.get(type);
    if (tally === undefined) {
      tally = { type, count: 0, sample: undefined, statistics: new Statistics() };
      this.#tallies.set(type, tally);
    }
    this.#latest = tally;
    return tally;
  }

  /** The values themselves, if they are shorter than the summary. */
  valuesIfShorter(summary: object): readonly unknown[] | undefined {
    if (this.#count > MAX_VALUES_KEPT) return undefined;
    const length = prettyJsonLength(summary);
    return prettyJsonLength(this.#kept, length) < length ? this.#kept : undefined;
  }

  summary(): ValuesSummary {
    if (this.#count === 0) return { count: 0, types: [] };
    const unique = this.#unique.size;
    return {
      count: this.#count,
      unique_count: unique,
      ...(unique === MAX_UNIQUE_COUNTED && { unique_count_is_minimum: true as const }),
      types: [...this.#tallies]
        .toSorted(([, one], [, other]) => other.count - one.count)
        .map(([name, tally]) => this.#summarizeType(name, tally)),
    };
  }

  #summarizeType(name: ValueType, { count, sample, statistics }: TypeTally): TypeSummary {
    return {
      name,
      count,
      percentage: Math.round((count / this.#count) * 1_000) / 10,
      sample_value: name === 'null' ? null : shortenValue(sample, SAMPLE_LENGTH),
      ...(name !== 'null' && statistics.describe(STATISTICS_PREFIX[name])),
    };
  }
}

const STATISTICS_PREFIX: Readonly<Record<ValueType, string>> = {
  null: '',
  bool: '',
  int: '',
  float: '',
  string: 'length_',
  list: 'length_',
  object: 'json_length_',
};

/** Minimum, maximum, average and standard deviation of a stream of numbers. */
class Statistics {
  #count = 0;
  #minimum = Infinity;
  #maximum = -Infinity;
  #average = 0;
  /** Sum of squared deviations from the running average (Welford's algorithm), which is exact even for large numbers. */
  #spread = 0;

  add(value: number): void {
    this.#count += 1;
    if (value < this.#minimum) this.#minimum = value;
    if (value > this.#maximum) this.#maximum = value;
    const distance = value - this.#average;
    this.#average += distance / this.#count;
    this.#spread += distance * (value - this.#average);
  }

  /** The statistics with prefixed names. The sample standard deviation needs at least two values. */
  describe(prefix: string): Record<string, number> {
    if (this.#count === 0) return {};
    const described: [string, number][] = [
      [`${prefix}minimum`, this.#minimum],
      [`${prefix}maximum`, this.#maximum],
      [`${prefix}average`, round(this.#average)],
      [`${prefix}stdev`, this.#count > 1 ? round(Math.sqrt(this.#spread / (this.#count - 1))) : Number.NaN],
    ];
    return Object.fromEntries(described.filter(([, value]) => Number.isFinite(value)));
  }
}

function round(value: number): number {
  const rounded = Math.round(value * 100) / 100;
  return Number.isFinite(rounded) ? rounded : value;
}

/** Type names of JSON values in summaries. */
export type ValueType = 'null' | 'bool' | 'int' | 'float' | 'string' | 'list' | 'object';

/** Values that JSON cannot represent are written as null, so they count as null. */
export function typeOfValue(value: unknown): ValueType {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') {
    if (Number.isInteger(value)) return 'int';
    return Number.isFinite(value) ? 'float' : 'null';
  }
  if (typeof value !== 'object' || value === null) return 'null';
  return Array.isArray(value) ? 'list' : 'object';
}

/** Equal for equal values: lists and objects by a digest of their JSON, whatever the order of their keys. */
function identityOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return `json:${createHash('sha256')
    .update(JSON.stringify(withSortedKeys(value, 0)))
    .digest('base64')}`;
}

function withSortedKeys(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH_COMPARED) return null;
  if (Array.isArray(value)) return value.map((item) => withSortedKeys(item, depth + 1));
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { fields: fields.map(([key, item]) => [key, withSortedKeys(item, depth + 1)]) };
}
