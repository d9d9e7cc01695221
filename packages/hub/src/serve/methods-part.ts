import { describeMethods } from '../contracts/method-catalogue.ts';
import type { HubContext, HubPart } from '../hub-part.ts';
import type { HubMethod } from '../wire/hub-method.ts';

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
