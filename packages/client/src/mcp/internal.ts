/** For Holdword's own MCP servers, not covered by semver. */
export type { PolledTasks, TaskSnapshot } from './mcp-tasks.ts';
export { taskEndSchema, taskQuestionSchema } from './mcp-task-store.ts';
export { type Asking, askingSchema, elicitationOf, readAnswer } from './task-elicitation.ts';
export { askingIn, createdTask, declaresTasks, registerTaskMethods } from './task-methods.ts';
