import { openFakeAgent } from './open-fake-agent.ts';

export default await openFakeAgent(3_600_000);
