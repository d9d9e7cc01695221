import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
  type McpServer,
  type Resource,
} from '@modelcontextprotocol/server';
import type { A2ASession } from '../../session/a2a-session.ts';
import { findArtifact } from '../../tools/artifact/find-artifact.ts';
import { toolError } from '../../tools/tool-error.ts';
import { artifactContents } from './artifact-contents.ts';
import { ARTIFACT_URI_TEMPLATE, parseArtifactUri } from './artifact-uri.ts';
import type { SeenArtifact, SeenArtifacts } from './seen-artifacts.ts';

export function registerArtifacts(server: McpServer, session: A2ASession, seen: SeenArtifacts): void {
  const template = new ResourceTemplate(ARTIFACT_URI_TEMPLATE, {
    list: () => ({ resources: seen.list().map(resourceOf) }),
    complete: {
      agent: (begun) => session.agents.agentIds.filter((agentId) => agentId.startsWith(begun)),
    },
  });
  server.registerResource(
    'artifact',
    template,
    { title: 'Artifact', description: 'The complete contents of an artifact.' },
    async (uri, _variables, { mcpReq }) => {
      const location = parseArtifactUri(uri.href);
      if (location === undefined) throw new ResourceNotFoundError(uri.href);
      try {
        return { contents: artifactContents(uri.href, await findArtifact(session, location, mcpReq.signal)) };
      } catch (error) {
        mcpReq.signal.throwIfAborted();
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, toolError(error).error_message);
      }
    },
  );
}

function resourceOf({ uri, name, description }: SeenArtifact): Resource {
  return { uri, name, ...(description !== undefined && { description }) };
}
