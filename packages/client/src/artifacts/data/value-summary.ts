import { Fingerprint } from './fingerprint.ts';
import { compactJsonLength, prettyJsonLength } from './json-length.ts';
import { shortenValue } from './shorten.ts';
import { Statistics } from './statistics.ts';
import { UniqueCounter, type SlotPool } from './unique-counter.ts';
import { typeOfValue, type ValueType } from './value-type.ts';

/** More values than this are never shorter than their summary. */
const MAX_VALUES_KEPT = 1_024;
const SAMPLE_LENGTH = 200;
/** Mixes in the count, because equal values have equal fingerprints. */
const SAMPLE_FACTOR = 0x9e3779b1;
const WORD = 2 ** 32;

const print = new Fingerprint();

/** The summary of the values of one type. */
export interface TypeSummary {
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
  /** Set if there were too many values to count them exactly. */
  readonly unique_count_estimated?: true;
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
  readonly #unique: UniqueCounter;
  /** The tally of the previous value: the values of a column mostly have one type. */
  #latest: TypeTally | undefined;
  #count = 0;
  readonly #kept: unknown[] = [];

  constructor(pool: SlotPool) {
    this.#unique = new UniqueCounter(pool);
  }

  add(value: unknown): void {
    this.#count += 1;
    if (this.#count <= MAX_VALUES_KEPT) this.#kept.push(value);
    print.take(value);
    this.#unique.add(print);
    const tally = this.#tallyOf(typeOfValue(value));
    tally.count += 1;
    // Reservoir sampling: the nth value replaces the sample with probability 1/n, decided by its fingerprint.
    if ((Math.imul(print.low ^ tally.count, SAMPLE_FACTOR) >>> 0) * tally.count < WORD) tally.sample = value;
    if (typeof value === 'string') tally.statistics.add(value.length);
    else if (typeof value === 'number') tally.statistics.add(value);
    else if (Array.isArray(value)) tally.statistics.add(value.length);
    else if (typeof value === 'object' && value !== null) tally.statistics.add(compactJsonLength(value));
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
    const unique = Math.min(this.#unique.count, this.#count);
    return {
      count: this.#count,
      unique_count: unique,
      ...(!this.#unique.isExact && { unique_count_estimated: true as const }),
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
