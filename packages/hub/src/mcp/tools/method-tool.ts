import type { HubTool } from '../hub-tool.ts';

/** A tool that takes what a method of the hub takes, and gives what that gives. */
export function methodTool(method: string, tool: Omit<HubTool, 'run'>): HubTool {
  return { ...tool, run: (input, hub) => hub.method(method, input) };
}
