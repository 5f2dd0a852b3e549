import { chromium, type Browser } from 'playwright-core';

/** Chromium looks up hosts of its vendor at each start, unless these flags are set. */
const quiet = [
  ...['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  '--disable-quic',
];

/** Starts a headless Chromium without a profile. */
export function launchChromium(executablePath: string): Promise<Browser> {
  // The sandbox of Chromium refuses to run as root.
  return chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0, args: quiet });
}
