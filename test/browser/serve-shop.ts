import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { root } from '../readme/readme.ts';

export interface Shop {
  /** The origin of the page. The API has another one. */
  readonly origin: string;
  stop(): Promise<void>;
}

/** Serves a page that uses the built TypeScript client. */
export async function serveShop(): Promise<Shop> {
  const server = createServer(({ url = '/' }, response) => {
    void contentOf(url).then(
      ({ type, content }) => response.setHeader('Content-Type', type).end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function contentOf(url: string): Promise<{ type: string; content: string | Buffer }> {
  if (url === '/') return { type: 'text/html', content: '<script type="module" src="/page.js"></script>' };
  const [, module] = /^\/client\/([a-z-]+\.js)$/.exec(url) ?? [];
  const file = module === undefined ? 'test/browser/shop-page.js' : join('client/dist', module);
  return { type: 'text/javascript', content: await readFile(join(root, file)) };
}
