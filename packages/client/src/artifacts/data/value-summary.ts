import { Fingerprint } from './fingerprint.ts';
import { compactJsonLength, prettyJsonLength } from './json-length.ts';
import { shortenValue } from './shorten.ts';
import { Statistics } from './statistics.ts';
import { UniqueCounter, type SlotPool } from './unique-counter.ts';
import { typeOfValue, type ValueType } from './value-type.ts';

/** More values than these are never shorter than their summary. */
const MAX_VALUES_KEPT = 1_024;
const SAMPLE_LENGTH = 200;
/** Fingerprints of equal values are equal, and so the count has a say, too. */
const SAMPLE_FACTOR = 0x9e3779b1;
const WORD = 2 ** 32;

const print = new Fingerprint();

/** What is said about the values of one type. */
export interface TypeSummary {
  readonly name: ValueType;
  readonly count: number;
  /** Of all values, with one decimal. */
  readonly percentage: number;
  /** One of the values, the same one each time. */
  readonly sample_value: unknown;
  readonly [statistic: string]: unknown;
}

export interface ValuesSummary {
  readonly count: number;
  readonly unique_count?: number;
  /** There were too many to count them exactly. */
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
 * Summarizes values that come one by one, in one pass and in bounded memory. Responsible for counts, unique values, the
 * statistics of each type and one sample of it; leaves to its callers where the values come from.
 */
export class ValueSummary {
  readonly #tallies = new Map<ValueType, TypeTally>();
  readonly #unique: UniqueCounter;
  /** That of the value before: the values of one column are mostly of one type. */
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
    // The nth value takes the place of the sample once in n times, as its own fingerprint says.
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

  /** The values themselves, where they are shorter than the summary. */
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
