import { cardFailure, tidyMessage, type TimeLimit } from '@holdword/client/internal';
import { requestTime } from '../calls/request-time.ts';
import { describeTarget, type DescribedTarget } from '../targets/describe-target.ts';
import type { ConfiguredTarget } from '../targets/target.ts';
import type { Services } from '../services.ts';
import type { ActionHandler } from './action.ts';

/** Lists the configured targets with their agent cards. An unreachable target does not hide the others. */
export const listTargets: ActionHandler = async ({ signal }, services) => {
  using limit = requestTime({}, services.config, signal);
  const described = await Promise.all(
    services.catalog.targets.map((target) => describe(target, services, limit)),
  );
  limit.throwIfAborted();
  return {
    summary: { targets: described.map(({ summary }) => summary) },
    raw: described.map(({ raw }) => raw),
    replies: [],
  };
};

async function describe(
  target: ConfiguredTarget,
  { catalog, connections }: Services,
  limit: TimeLimit,
): Promise<DescribedTarget> {
  try {
    const connection = await connections.connect(catalog.byAlias(target.alias), limit.signal);
    return describeTarget(target, connection);
  } catch (error) {
    return describeTarget(target, { failure: tidyMessage(cardFailure(target.alias, error).message) });
  }
}
