import { A2AError, type ProtocolVersion } from '@holdword/protocol';
import { invalidFields, VERSION_PARAMETER } from '@holdword/protocol/internal';
import { RequestObservation } from '../../observe/request-observation.ts';
import { requireAllowance } from '../admission.ts';
import type { Authentication } from '../auth/authentication.ts';
import { requireCaller } from '../auth/require-caller.ts';
import { requestedVersion } from '../requested-version.ts';
import { readServiceParameters } from '../service-parameters.ts';
import { grpcHeaders } from './grpc-headers.ts';
import { GrpcSession, type GrpcCall, type GrpcSurroundings } from './grpc-session.ts';
import { requireReadable } from './readable-requests.ts';

/**
 * Admits a call: authenticates the caller and reads its service parameters. An error is recorded as the call's failure.
 */
export function sessionOpener(
  version: ProtocolVersion,
  authentication: Authentication,
  around: GrpcSurroundings,
): (call: GrpcCall) => Promise<GrpcSession> {
  return async (call) => {
    const observation = new RequestObservation(around.observer, 'GRPC', peerOf(call));
    observation.version = version;
    try {
      const headers = grpcHeaders(call.metadata);
      const caller = await requireCaller(authentication, headers);
      observation.caller = caller.id;
      observation.tenant = caller.tenant;
      requireAllowance(around.admission.count(caller));
      if (headers[VERSION_PARAMETER.toLowerCase()] !== undefined) {
        requireVersion(version, requestedVersion(headers, ''));
      }
      requireReadable(call.request);
      requireMessage(call);
      return new GrpcSession(
        { caller, parameters: readServiceParameters(headers), observation },
        call,
        around,
      );
    } catch (error) {
      observation.end(error);
      around.failedCalls.note(call.metadata, error);
      throw error;
    }
  };
}

/** Read only if it is logged. */
function peerOf(call: GrpcCall): { readonly remoteAddress: string } {
  return {
    get remoteAddress() {
      return call.getPeer();
    },
  };
}

/** The service has its version in its name. Metadata with a different version is a mistake. */
function requireVersion(served: ProtocolVersion, asked: ProtocolVersion): void {
  if (asked === served) return;
  throw new A2AError(
    'VERSION_NOT_SUPPORTED',
    `This gRPC service is A2A ${served}, but the metadata asks for ${asked}. Call the service of that version.`,
    { metadata: { supportedVersions: served } },
  );
}

/** The SDK's 0.3 service throws if a send request has no message. */
function requireMessage(call: GrpcCall): void {
  const { request } = call;
  if (typeof request !== 'object' || request === null || !('request' in request)) return;
  if (request.request === undefined) {
    throw invalidFields([{ field: 'message', description: 'expected a message, found none' }]);
  }
}
