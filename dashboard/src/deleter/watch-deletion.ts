import { status, type ClientReadableStream } from '@grpc/grpc-js';
import type { Deletion__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import { hasCode } from '@jobs-delete/proto/service-error';
import { faultOfCall } from './answer-to.ts';
import { readDeletion, type Deletion } from './deletion.ts';

const endings = [status.NOT_FOUND, status.CANCELLED, status.DEADLINE_EXCEEDED];

/** Cancels the call when the signal is aborted, or when the caller leaves the loop. @throws Fault */
export async function* watchDeletion(
  startCall: () => ClientReadableStream<Deletion__Output>,
  signal: AbortSignal,
): AsyncGenerator<Deletion> {
  if (signal.aborted) return;
  const call = start(startCall);
  const cancel = () => call.cancel();
  signal.addEventListener('abort', cancel);
  try {
    for await (const message of call) yield readDeletion(message as Deletion__Output);
  } catch (error) {
    if (!endings.some((code) => hasCode(error, code))) throw faultOfCall(error);
  } finally {
    signal.removeEventListener('abort', cancel);
    call.cancel();
  }
}

/** A closed channel throws at once. */
function start(
  startCall: () => ClientReadableStream<Deletion__Output>,
): ClientReadableStream<Deletion__Output> {
  try {
    return startCall();
  } catch (error) {
    throw faultOfCall(error);
  }
}
