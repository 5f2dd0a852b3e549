import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type HttpConnection = ReturnType<typeof createHttpConnection>;

/**
 * Serves one connection of the HTTP server.
 * @param onImproper called with the status of a refusal, unless the listener knows the request
 */
export function createHttpConnection(socket: Socket, onImproper: (status: number) => void = () => undefined) {
  /** In the order of the requests. */
  const unfinished: ServerResponse[] = [];
  let latest: ServerResponse | undefined;
  let isRefused = false;
  const pipeline = createPipeline(socket);

  const add = (response: ServerResponse) => {
    latest = response;
    unfinished.push(response);
    response.once('close', () => unfinished.splice(unfinished.indexOf(response), 1));
  };

  return {
    /**
     * Calls the listener, now or later: a connection has few requests in progress, and none starts while the caller does not
     * read its answers. While a request waits, the connection is not read. `isLast`: the answer closes the connection. Does
     * nothing after a refusal.
     */
    serve: (
      request: IncomingMessage,
      response: ServerResponse,
      listener: RequestListener,
      isLast: boolean,
    ): void => {
      // Data after an improper message may not be a request.
      if (isRefused) return;
      if (isLast) {
        keepAlive(latest, true);
        keepAlive(response, false);
      }
      add(response);
      pipeline.push(response, () => {
        if (socket.writable) listener(request, response);
      });
    },
    /** Makes the answer in progress the last one of the connection. */
    drain: (): void => {
      if (unfinished.length > 0) keepAlive(latest, false);
    },
    /**
     * Refuses the latest message and closes the connection, after the answers to earlier requests. Sends no second answer
     * when the error is in the rest of a request that is already answered.
     */
    refuse: (status: number): void => {
      if (isRefused) return;
      isRefused = true;
      const incomplete = latest?.req.complete === false ? latest : undefined;
      const before = unfinished.filter((response) => response !== incomplete).at(-1);
      afterClose(before, () => {
        if (incomplete?.headersSent) {
          afterClose(unfinished.includes(incomplete) ? incomplete : undefined, () => end(socket));
          return;
        }
        if (incomplete === undefined) onImproper(status);
        // The listener knows the request. Its log line and its metrics get this status.
        else incomplete.statusCode = status;
        end(socket, refusalText(status));
      });
    },
  };
}

/** Maximum of requests of one connection that have started and whose answers the socket has not taken. */
const maxInProgress = 16;
/** Requests of one connection that may start in one turn of the event loop. Other connections are served between the turns. */
const maxPerTurn = 4;

/** Starts the requests of one connection in their order, within the two maxima and only while the caller reads the answers. */
function createPipeline(socket: Socket) {
  const waiting: { readonly response: ServerResponse; readonly start: () => void }[] = [];
  let inProgress = 0;
  let startedInTurn = 0;
  let isHeld = false;

  const mayStart = () =>
    startedInTurn < maxPerTurn && inProgress < maxInProgress && !socket.writableNeedDrain;
  const startWaiting = () => {
    while (mayStart()) {
      const next = waiting.shift();
      if (next === undefined) break;
      if (startedInTurn === 0) setImmediate(nextTurn);
      startedInTurn += 1;
      inProgress += 1;
      next.response.once('close', () => {
        inProgress -= 1;
        startWaiting();
      });
      next.start();
    }
    if (!isHeld || waiting.length > 0) return;
    isHeld = false;
    socket.resume();
  };
  const nextTurn = () => {
    startedInTurn = 0;
    startWaiting();
  };
  // Node resumes the socket after each message, and to read a body.
  socket.on('resume', () => isHeld && socket.pause());
  socket.on('drain', startWaiting);

  return {
    /** Starts the request, now or later. While one waits, the connection is not read. */
    push: (response: ServerResponse, start: () => void) => {
      waiting.push({ response, start });
      startWaiting();
      if (waiting.length === 0) return;
      isHeld = true;
      socket.pause();
    },
  };
}

/** Node keeps the connection open for the next request by default, also while the server stops. */
function keepAlive(response: ServerResponse | undefined, isKept: boolean): void {
  if (response?.headersSent === false) response.shouldKeepAlive = isKept;
}

function afterClose(response: ServerResponse | undefined, act: () => void): void {
  if (response === undefined) act();
  else response.once('close', act);
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
  505: 'HTTP Version Not Supported',
};

function refusalText(status: number): string {
  return [
    `HTTP/1.1 ${String(status)} ${reasons[status] ?? ''}`,
    `Request-Id: ${randomUUID()}`,
    'Content-Language: fr',
    'Cache-Control: no-store',
    'Content-Length: 0',
    'Connection: close',
    '\r\n',
  ].join('\r\n');
}

/** Time for a refused caller to read the refusal and close its side. */
const lingerMs = 1_000;

function end(socket: Socket, lastText = ''): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(lastText);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}
