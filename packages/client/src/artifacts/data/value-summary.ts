import { fingerprint, lowWord } from './fingerprint.ts';
import { compactJsonLength, prettyJsonLength } from './json-length.ts';
import { shortenValue } from './shorten.ts';
import { Statistics } from './statistics.ts';
import { UniqueCounter, type SlotPool } from './unique-counter.ts';
import { typeOfValue, type ValueType } from './value-type.ts';

/** More values than these are never shorter than their summary. */
const MOST_VALUES_KEPT = 1_024;
const SAMPLE_LENGTH = 200;
/** Fingerprints of equal values are equal, and so the count has a say, too. */
const SAMPLE_FACTOR = 0x9e3779b1;

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
  #count = 0;
  #kept: unknown[] | undefined = [];

  constructor(pool: SlotPool) {
    this.#unique = new UniqueCounter(pool);
  }

  add(value: unknown): void {
    this.#count += 1;
    if (this.#count > MOST_VALUES_KEPT) this.#kept = undefined;
    this.#kept?.push(value);
    const type = typeOfValue(value);
    const print = fingerprint(value);
    this.#unique.add(print);
    let tally = this.#tallies.get(type);
    if (tally === undefined) {
      tally = { count: 0, sample: undefined, statistics: new Statistics() };
      this.#tallies.set(type, tally);
    }
    tally.count += 1;
    // The nth value takes the place of the sample once in n times, as its own fingerprint says.
    if ((Math.imul(lowWord(print) ^ tally.count, SAMPLE_FACTOR) >>> 0) % tally.count === 0)
      tally.sample = value;
    const measured = measureOf(value, type);
    if (measured !== undefined) tally.statistics.add(measured);
  }

  /** The values themselves, where they are shorter than the summary. */
  valuesIfShorter(summary: object): readonly unknown[] | undefined {
    if (this.#kept === undefined) return undefined;
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
      ...statistics.describe(STATISTICS_PREFIX[name]),
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

/** What the statistics of a type are about. */
function measureOf(value: unknown, type: ValueType): number | undefined {
  if (typeof value === 'number') return type === 'null' ? undefined : value;
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) return value.length;
  return type === 'object' ? compactJsonLength(value) : undefined;
}
