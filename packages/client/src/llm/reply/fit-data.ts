import { compactJsonLength } from '../../artifacts/data/json-length.ts';
import { condenseData } from '../../artifacts/data/minimize-data.ts';
import { shortenText } from '../../artifacts/data/shorten.ts';
import { typeOfValue } from '../../artifacts/data/value-type.ts';
import type { DataPartForLLM } from '../for-llm.ts';
import { fits, largestForm, lazy, type Fittable } from './fittable.ts';
import { outlineData } from './outline-data.ts';

export interface FitDataOptions {
  /** Whether to condense the data regardless of the budget. */
  readonly condense: boolean;
  readonly characterLimit: number;
  readonly minimizedObjectStringLength: number;
  readonly tip: string | null | undefined;
}

/** Tried if long strings take up the room. */
const SHORT_STRINGS = 100;

/** Fits data: whole, condensed, condensed with shorter strings, an outline of its types, or only its type. */
export function fittableData(data: unknown, options: FitDataOptions): Fittable<DataPartForLLM> {
  const whole: DataPartForLLM = { kind: 'data', data };
  const condensed = (stringLength: number): DataPartForLLM => {
    const minimized = condenseData(data, { ...options, minimizedObjectStringLength: stringLength });
    return minimized['data'] === data ? whole : { kind: 'data', data: minimized };
  };
  const full = lazy(() => (options.condense ? condensed(options.minimizedObjectStringLength) : whole));
  const fullLength = lazy(() => compactJsonLength(full()));
  const shortest: DataPartForLLM = { kind: 'data', data: { _type: typeOfValue(data) } };
  const minLength = compactJsonLength(shortest);
  return {
    minLength: Math.min(minLength, compactJsonLength(whole, minLength)),
    full,
    fullLength,
    fit(length) {
      if (fullLength() <= length) return full();
      if (fits(whole, length)) return whole;
      if (typeof data === 'string') {
        return (
          largestForm(Math.min(data.length, length), length, (amount) => beginning(data, amount)) ?? shortest
        );
      }
      for (const stringLength of lengthsToTry(data, options)) {
        const form = condensed(stringLength);
        if (fits(form, length)) return form;
      }
      const outline = outlineData(data);
      const outlined = (names: number): DataPartForLLM => ({
        kind: 'data',
        data: { data: outline.describe(names) },
      });
      return largestForm(Math.min(outline.names, length), length, outlined) ?? shortest;
    },
  };
}

function beginning(text: string, amount: number): DataPartForLLM {
  return { kind: 'data', data: { text: shortenText(text, amount) } };
}

/** String lengths for which condensing may produce something shorter than the full form. */
function lengthsToTry(data: unknown, options: FitDataOptions): number[] {
  return [
    ...(options.condense ? [] : [options.minimizedObjectStringLength]),
    ...(Array.isArray(data) || options.minimizedObjectStringLength <= SHORT_STRINGS ? [] : [SHORT_STRINGS]),
  ];
}
