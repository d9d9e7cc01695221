import { toHubError } from '../../wire/encode-error.ts';
import type { HubMethod } from '../../wire/hub-method.ts';
import type { ReliabilityStats } from './reliability-stats.ts';

/** Wraps a method so that its calls are counted and timed. */
export function instrumentMethod(method: HubMethod, stats: ReliabilityStats): HubMethod {
  return {
    ...method,
    async handle(params, requestContext) {
      const start = performance.now();
      let code: string | undefined;
      try {
        return await method.handle(params, requestContext);
      } catch (error) {
        code = toHubError(error).code;
        throw error;
      } finally {
        stats.methodEnded({ method: method.name, milliseconds: performance.now() - start, code });
      }
    },
  };
}
