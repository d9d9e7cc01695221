import type { HubTool } from '../hub-tool.ts';

/** Creates a tool that forwards its input to a method of the hub and returns its result. */
export function methodTool(method: string, tool: Omit<HubTool, 'run'>): HubTool {
  return { ...tool, run: (input, hub) => hub.method(method, input) };
}
