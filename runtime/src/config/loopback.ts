/** Returns whether a host is this machine: a loopback address, `localhost`, or a percent-encoded path of a socket. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?|%2F.*)$/i.test(host);
}

/** The same for `HOST:PORT`, `[HOST]:PORT` or `HOST`. */
export function isLoopbackAddress(address: string): boolean {
  return isLoopback(address.replace(/:\d+$/, ''));
}
