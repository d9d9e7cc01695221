import { asObject } from '@holdword/protocol/internal';
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { oneLine } from '../artifacts/shorten.ts';
import type { AnyArtifact } from '../llm/for-llm.ts';
import { contentsOfParts, type FileContent } from '../llm/part-content.ts';
import type { A2ASession } from '../session/a2a-session.ts';
import type { A2ATools } from '../tools/a2a-tools.ts';
import { type ArtifactLocation, findArtifact } from '../tools/artifact-tools.ts';
import { toolError } from '../tools/tool-error.ts';
import type { ToolResult } from '../tools/tool.ts';

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

const AGENTS_URI = 'a2a://agents';

export function registerAgentList(server: McpServer, tools: A2ATools): void {
  const mimeType = 'application/json';
  server.registerResource(
    'agents',
    AGENTS_URI,
    {
      title: 'Agents',
      description: 'All available agents with their names and descriptions.',
      mimeType,
    },
    async (uri) => ({
      contents: [{ uri: uri.href, mimeType, text: JSON.stringify(await tools.getAgents(), undefined, 2) }],
    }),
  );
}

interface SeenArtifact extends ArtifactLocation {
  readonly uri: string;
  readonly name: string;
  readonly description: string | undefined;
}

const MAX_REMEMBERED = 200;

/** Recently returned artifacts, so that hosts can list them. Evicts the oldest. */
export class SeenArtifacts {
  readonly #artifacts = new Map<string, SeenArtifact>();

  /** Newest first. */
  list(): SeenArtifact[] {
    return [...this.#artifacts.values()].toReversed();
  }

  /** Records the artifacts in the result of a tool. */
  record(agentId: unknown, result: ToolResult): void {
    const { kind, id, artifacts } = result;
    if (typeof agentId !== 'string' || kind !== 'task' || typeof id !== 'string' || !Array.isArray(artifacts))
      return;
    for (const artifact of artifacts) {
      const { artifactId, name, description } = asObject(artifact);
      if (typeof artifactId !== 'string') continue;
      const location = { agentId, taskId: id, artifactId };
      const uri = artifactUri(location);
      this.#artifacts.delete(uri);
      this.#artifacts.set(uri, {
        ...location,
        uri,
        name: typeof name === 'string' ? name : artifactId,
        description: typeof description === 'string' ? description : undefined,
      });
    }
    for (const uri of this.#artifacts.keys()) {
      if (this.#artifacts.size <= MAX_REMEMBERED) break;
      this.#artifacts.delete(uri);
    }
  }
}

type ResourceContent = ReadResourceResult['contents'][number];

/** The complete contents of an artifact as an MCP resource, one content per part. */
export function artifactContents(uri: string, artifact: AnyArtifact): ResourceContent[] {
  return contentsOfParts(artifact.parts).map((content): ResourceContent => {
    if (content.kind === 'text') return { uri, mimeType: 'text/plain', text: content.text };
    if (content.kind === 'data') {
      return { uri, mimeType: 'application/json', text: JSON.stringify(content.data, undefined, 2) };
    }
    return fileContent(uri, content);
  });
}

/** A file given by URL is not fetched: the host gets its URL. Each line of such a list is one, so that an agent must not add lines. */
function fileContent(uri: string, { mimeType, bytes, uri: address }: FileContent): ResourceContent {
  if (bytes === undefined)
    return { uri, mimeType: 'text/uri-list', text: oneLine(address ?? '').replaceAll(' ', '%20') };
  return { uri, mimeType: mimeType ?? 'application/octet-stream', blob: bytes };
}

const ARTIFACT_URI_TEMPLATE = 'a2a://{agent}/{task}/{artifact}';

export function artifactUri({ agentId, taskId, artifactId }: ArtifactLocation): string {
  return `a2a://${[agentId, taskId, artifactId].map(encodeURIComponent).join('/')}`;
}

/** Returns undefined if the URI does not identify an artifact. */
export function parseArtifactUri(uri: string): ArtifactLocation | undefined {
  const [, agentId, taskId, artifactId] = /^a2a:\/\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(uri)?.map(decoded) ?? [];
  if (agentId === undefined || taskId === undefined || artifactId === undefined) return undefined;
  return { agentId, taskId, artifactId };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
