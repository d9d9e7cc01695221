import { openFakeAgent } from './open-fake-agent.ts';

export default await openFakeAgent(2_000);
