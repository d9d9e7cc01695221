import type { V03Artifact } from '@holdword/protocol';
import { joinChunks } from '../llm/part-content.ts';
import type { A2ASession } from '../session/a2a-session.ts';

/** An agent that is away does not keep a model from looking at saved artifacts. */
const ASK_MILLISECONDS = 2_000;

/** The artifacts as the agent meant them: a text that was streamed in chunks is one text. */
export async function withWholeTexts(
  { agents }: A2ASession,
  agentId: string,
  artifacts: readonly V03Artifact[],
): Promise<V03Artifact[]> {
  const whole = artifacts.map((artifact) => ({ ...artifact, parts: joinChunks(artifact.parts) }));
  const isWhole = whole.every(({ parts }, index) => parts.length === artifacts[index]?.parts.length);
  if (isWhole) return [...artifacts];
  try {
    const { extensions } = await agents.connect(agentId, AbortSignal.timeout(ASK_MILLISECONDS));
    // Agents that can resume merge chunks, so that several texts are separate texts.
    return extensions.resume ? [...artifacts] : whole;
  } catch {
    return whole;
  }
}
