import { A2AError } from '@holdword/protocol';

export function pushNotSupported(): A2AError {
  return new A2AError(
    'PUSH_NOTIFICATION_NOT_SUPPORTED',
    'This agent does not support push notifications, as its card says. Stream the task, or poll it.',
  );
}
