/** What the sender and the receiver of push notifications agree on, in addition to the body. */
import { createHash } from 'node:crypto';

/** Node gives the names of incoming headers in lower case. */
export const PUSH_HEADERS = {
  token: 'X-A2A-Notification-Token',
  deliveryId: 'Holdword-Delivery-Id',
  timestamp: 'Holdword-Timestamp',
  signature: 'Holdword-Signature',
} as const;

/** The `typ` of the signature, so that no other token of the same key can be used as one. */
export const SIGNATURE_TYPE = 'holdword-push+jwt';

/** The claim with the digest of the body. */
export const DIGEST_CLAIM = 'sha256';

export function bodyDigest(body: string): string {
  return createHash('sha256').update(body).digest('base64url');
}

/** One event for one push target. */
export interface DeliveryName {
  taskId: string;
  configId: string;
  sequence: number;
}

/** Identifies the event for the target, the same at every attempt. */
export function writeDeliveryId({ taskId, configId, sequence }: DeliveryName): string {
  return `${taskId}/${encodeURIComponent(configId)}/${sequence}`;
}

/** Undefined if the id is malformed. */
export function readDeliveryId(deliveryId: string): DeliveryName | undefined {
  const [taskId = '', configId = '', sequence = ''] = deliveryId.split('/');
  if (!/^\d+$/.test(sequence)) return undefined;
  return { taskId, configId: decodeURIComponent(configId), sequence: Number(sequence) };
}
