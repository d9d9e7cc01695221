import type { IncomingMessage, ServerResponse } from 'node:http';
import { toHttpError } from '@holdword/protocol/internal';
import type { MetricsSource } from '../observe/metrics.ts';
import type { ReadinessCheck } from '../observe/readiness.ts';
import { requireCaller } from './auth/authentication.ts';
import type { HandlerContext } from './handler-context.ts';
import { JSON_TYPE, sendError, sendJson } from './respond.ts';

/** Reports whether this process should receive requests: 200 or 503, with every check. */
export async function handleReadiness(check: ReadinessCheck, response: ServerResponse): Promise<void> {
  const { ready, checks } = await check();
  const body = JSON.stringify({ status: ready ? 'ready' : 'not ready', checks });
  sendJson(response, ready ? 200 : 503, JSON_TYPE, body, { 'Cache-Control': 'no-store' });
}

/** Sends the metrics to authenticated callers, or to everyone if the operator says so. */
export async function handleMetrics(
  handler: HandlerContext,
  metrics: { source: MetricsSource; public: boolean },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    if (!metrics.public) await requireCaller(handler.authentication, request.headers);
    const { contentType, body } = await metrics.source.render();
    sendJson(response, 200, contentType, body, { 'Cache-Control': 'no-store' });
  } catch (error) {
    const { status, body } = toHttpError(error);
    sendError(handler, request, response, error, {
      status,
      contentType: JSON_TYPE,
      json: JSON.stringify(body),
    });
  }
}
