import { openMemoryStore } from '@holdword/store';
import { onTestFinished } from 'vitest';
import { demoAgent } from '../../executors/demo-agent.ts';
import { startRuntime } from '../../runtime.ts';
import { serveRuntime, type ServedAgent, type ServeRuntimeOptions } from '../serve-runtime.ts';

/** The demo agent on real ports, closed when the test ends. */
export async function serveDemo(options: Partial<ServeRuntimeOptions> = {}): Promise<ServedAgent> {
  const runtime = await startRuntime({ store: openMemoryStore(), executor: demoAgent });
  onTestFinished(() => runtime.stop({ graceMilliseconds: 0 }));
  const served = await serveRuntime({ runtime, port: 0, ...options });
  onTestFinished(() => served.close({ graceMilliseconds: 0 }));
  return served;
}
