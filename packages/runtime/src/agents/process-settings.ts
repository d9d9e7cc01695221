import type { EnvironmentChoice } from '../executors/child-process/child-environment.ts';
import type { WorkingDirectory } from '../executors/cli-agent/cli-agent-options.ts';

export interface ProcessOptions {
  timeout?: number;
  workingDirectory?: string;
  directoryPerContext?: boolean;
  envVars?: Record<string, string>;
  passEnvironment?: string[];
  maxOutputBytes?: number;
}

interface ProcessSettings {
  timeoutMilliseconds?: number;
  workingDirectory?: WorkingDirectory;
  environment: EnvironmentChoice;
  maxOutputBytes?: number;
}

/** Converts the options of a program to those of its executor. */
export function processSettings(options: ProcessOptions): ProcessSettings {
  const { timeout, maxOutputBytes, envVars: values = {}, passEnvironment: names = [] } = options;
  const folder = workingDirectoryOf(options);
  return {
    environment: { names, values },
    ...(timeout !== undefined && { timeoutMilliseconds: timeout * 1_000 }),
    ...(maxOutputBytes !== undefined && { maxOutputBytes }),
    ...(folder && { workingDirectory: folder }),
  };
}

function workingDirectoryOf({
  workingDirectory,
  directoryPerContext = false,
}: ProcessOptions): WorkingDirectory | undefined {
  if (directoryPerContext) return { perContextIn: workingDirectory ?? process.cwd() };
  return workingDirectory === undefined ? undefined : { fixed: workingDirectory };
}
