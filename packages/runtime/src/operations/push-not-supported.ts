import { A2AError } from '@holdword/protocol';

export function pushNotSupported(): A2AError {
  return new A2AError(
    'PUSH_NOTIFICATION_NOT_SUPPORTED',
    'This agent sends no push notifications, as its card says. Follow the task with a stream, or read it now and then.',
  );
}
