import type { Socket } from 'node:net';

/** Requests of one connection that may start in one turn of the event loop. */
const perTurn = 4;
const maxWaiting = 16;

/**
 * Returns a function that starts the requests of one connection in their order, at most four in one turn of the event
 * loop. Pipelined requests then do not delay other connections. While many wait, the connection is not read.
 * Must be called for a new connection: a later `data` listener would miss the start of a request.
 */
export function takeTurns(socket: Socket): (start: () => void) => void {
  const waiting: (() => void)[] = [];
  let started = 0;
  let isHeld = false;

  const hold = () => {
    if (waiting.length <= maxWaiting) return;
    isHeld = true;
    socket.pause();
  };
  // Node's own listeners run first: the chunk is parsed by now, and Node resumes the socket after each answer.
  socket.on('data', hold);
  socket.on('resume', hold);

  const run = (start: () => void) => {
    if (started === 0) setImmediate(next);
    started += 1;
    start();
  };
  const next = () => {
    started = 0;
    for (const start of waiting.splice(0, perTurn)) run(start);
    if (!isHeld || waiting.length > maxWaiting) return;
    isHeld = false;
    socket.resume();
  };

  return (start) => {
    if (started < perTurn && waiting.length === 0) run(start);
    else waiting.push(start);
  };
}
