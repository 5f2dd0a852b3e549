import type { Socket } from 'node:net';

/** Requests of one connection that start in one turn of the event loop. */
const perTurn = 4;
const maxWaiting = 16;

/**
 * Starts the work on the requests of one connection, in their order. At most four start in one turn of the event loop, so
 * that pipelined requests do not hold up other connections. While many wait, the connection is not read. To be called
 * when the connection is new: a `data` listener later would come in the middle of a request.
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
  // Node's own listeners come first: a chunk has been parsed when this runs, and Node resumes the socket with each answer.
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
