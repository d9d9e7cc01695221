import type { Executor } from '@holdword/runtime';
import { demoAgent } from '@holdword/runtime/internal';

/** The demo agent declared to have side effects: a task is on disk before its turn starts, and again at its end. */
const agentWithEffects: Executor = { ...demoAgent, withoutEffects: false };

export default agentWithEffects;
