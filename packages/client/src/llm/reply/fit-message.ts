import { compactJsonLength } from '../../artifacts/data/json-length.ts';
import type { MessageForLLM, PartForLLM } from '../for-llm.ts';
import { fitList } from './fit-list.ts';
import { once, wantedTogether, type Fittable } from './fittable.ts';

/** A message: with as much of its parts as there is room for. */
export function fittableMessage(
  contextId: string | null,
  parts: readonly Fittable<PartForLLM>[],
): Fittable<MessageForLLM> {
  const empty: MessageForLLM = { contextId, kind: 'message', parts: [] };
  const frame = compactJsonLength(empty);
  const least = compactJsonLength({ ...empty, _omitted_parts: parts.length });
  const full = (): MessageForLLM => ({ ...empty, parts: parts.map((part) => part.full()) });
  const wanted = once(() => frame + Math.max(0, wantedTogether(parts, Infinity) - 1));
  return {
    least,
    full,
    wanted,
    fit(length) {
      if (wanted() <= length) return full();
      const { values, omitted } = fitList(parts, length - frame, least - frame);
      return { ...empty, parts: values, ...(omitted > 0 && { _omitted_parts: omitted }) };
    },
  };
}
