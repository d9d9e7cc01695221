import type { JsonObject } from '@holdword/protocol';
import { nearestName, safeParse } from '@holdword/protocol/internal';
import { showValue } from '../wire/hub-error.ts';
import type { ToolOutcome } from './batch/run-batch.ts';
import type { HubTool, ToolHub } from './hub-tool.ts';
import { toolError } from './tool-error.ts';

/** Finds a tool, validates its input and runs it. An error is returned as an outcome, so that the model can react to it. */
export async function callTool(
  tools: readonly HubTool[],
  name: string,
  input: JsonObject,
  hub: ToolHub,
): Promise<ToolOutcome> {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) return { ok: false, error: { message: unknownTool(tools, name) } };
  const checked = safeParse(tool.inputSchema, input);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const field = issue === undefined || issue.path.length === 0 ? 'arguments' : issue.path.join('.');
    return { ok: false, error: { message: `${name}: ${field} is invalid. ${issue?.message}.` } };
  }
  try {
    return { ok: true, result: await tool.run(checked.data, hub) };
  } catch (error) {
    hub.context.recordRejection(hub.requestContext, name, error);
    return { ok: false, error: toolError(error) };
  }
}

function unknownTool(tools: readonly HubTool[], name: string): string {
  const names = tools.map((tool) => tool.name);
  const nearest = nearestName(name, names);
  const hint = nearest === undefined ? `Available tools: ${names.join(', ')}.` : `Did you mean ${nearest}?`;
  return `Unknown tool ${showValue(name)}. ${hint}`;
}
