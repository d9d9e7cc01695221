import { compactJsonLength } from '../../artifacts/data/json-length.ts';
import type { MessageForLLM, PartForLLM } from '../for-llm.ts';
import { fitList } from './fit-list.ts';
import { lazy, totalFullLength, type Fittable } from './fittable.ts';

/** Fits a message: as much of its parts as there is room for. */
export function fittableMessage(
  contextId: string | null,
  parts: readonly Fittable<PartForLLM>[],
): Fittable<MessageForLLM> {
  const empty: MessageForLLM = { contextId, kind: 'message', parts: [] };
  const frame = compactJsonLength(empty);
  const minLength = compactJsonLength({ ...empty, _omitted_parts: parts.length });
  const full = (): MessageForLLM => ({ ...empty, parts: parts.map((part) => part.full()) });
  const fullLength = lazy(() => frame + Math.max(0, totalFullLength(parts, Infinity) - 1));
  return {
    minLength,
    full,
    fullLength,
    fit(length) {
      if (fullLength() <= length) return full();
      const { values, omitted } = fitList(parts, length - frame, minLength - frame);
      return { ...empty, parts: values, ...(omitted > 0 && { _omitted_parts: omitted }) };
    },
  };
}
