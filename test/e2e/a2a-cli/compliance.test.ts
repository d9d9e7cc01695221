import { startCurrentSdk, startDemoServer, startLegacySdk } from './agents.ts';
import { describeCompliance } from './describe-compliance.ts';

describeCompliance(async () => {
  const agents = [await startDemoServer(), await startCurrentSdk()];
  // The SDK of A2A 0.3 is not a dependency; without it, its column is that of the page.
  const legacy = await startLegacySdk();
  if (legacy !== undefined) return [...agents, legacy];
  process.stderr.write('The SDK of A2A 0.3 cannot be installed; its checks are skipped.\n');
  return agents;
});
