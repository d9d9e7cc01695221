/** What a push notification carries in addition to its body. Node gives the names of incoming headers in lower case. */
export const PUSH_HEADERS = {
  token: 'X-A2A-Notification-Token',
  deliveryId: 'Holdword-Delivery-Id',
  timestamp: 'Holdword-Timestamp',
  signature: 'Holdword-Signature',
} as const;

/** The `typ` of the signature, so that no other token of the same key can be used as one. */
export const SIGNATURE_TYPE = 'holdword-push+jwt';

/** The claim with the digest of the body: SHA-256, base64url. */
export const DIGEST_CLAIM = 'sha256';
