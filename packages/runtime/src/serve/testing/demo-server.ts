import { openMemoryStore } from '@holdword/store';
import { onTestFinished } from 'vitest';
import { demoAgent } from '../../executors/demo/demo-agent.ts';
import { startRuntime } from '../../runtime.ts';
import { serveAgent, type ServedAgent, type ServeOptions } from '../serve-agent.ts';

/** The demo agent on real ports, closed when the test ends. */
export async function serveDemo(options: Partial<ServeOptions> = {}): Promise<ServedAgent> {
  const runtime = await startRuntime({ store: openMemoryStore(), executor: demoAgent });
  onTestFinished(() => runtime.stop({ graceMilliseconds: 0 }));
  const served = await serveAgent({ runtime, port: 0, ...options });
  onTestFinished(() => served.close({ graceMilliseconds: 0 }));
  return served;
}
