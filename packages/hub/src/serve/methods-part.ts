import type { HubContext } from '../hub-context.ts';
import type { HubMethod, HubPart } from '../hub-part.ts';
import { describeMethods } from '../contracts/method-catalogue.ts';

/** `methods/list`: lists the methods of `others` and itself. */
export function methodsPart(context: HubContext, others: readonly HubPart[]): HubPart {
  const list: HubMethod = {
    name: 'methods/list',
    spec: {
      description: 'Lists the methods of this endpoint and their parameters.',
      required: [],
      accepts: [],
    },
    handle: () => Promise.resolve(describeMethods(context, methods)),
  };
  const methods = [...others.flatMap((part) => part.methods ?? []), list];
  return { methods: [list] };
}
