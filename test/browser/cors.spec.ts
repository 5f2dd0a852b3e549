import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ClientOptions, RemovedDeletion } from '@jobs-delete/client';
import type { Browser, Page } from 'playwright-core';
import { startAnotherGateway, startService, type TestService } from '../harness/service.ts';
import { jsonBody } from '../harness/http-client.ts';
import { createClient, pathOf, type Client } from '../http/client.ts';
import { describeWith } from '../servers/describe-with.ts';
import { launchChromium } from './use-chromium.ts';
import { root } from '../readme/readme.ts';

/** Options that a page can receive: without functions. */
type PageOptions = Omit<ClientOptions, 'fetch' | 'baseUrl'> & { readonly baseUrl: string };

/** The global of shop-page.js. */
declare const shop: {
  deleteJobs(
    options: PageOptions,
    jobIds: readonly string[],
  ): Promise<{ acceptedJobs: number; removed: RemovedDeletion[] }>;
  call(
    url: string,
    init: { headers: Record<string, string>; body: string },
  ): Promise<{ status: number; headers: Record<string, string>; json: unknown }>;
};

describeWith('chromium', 'CORS, called from a page in Chromium', (executablePath) => {
  let service: TestService;
  let open: Awaited<ReturnType<typeof startAnotherGateway>>;
  let account: Client;
  let foreigner: Client;
  let served: Shop;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    service = await startService();
    open = await startAnotherGateway(service, { CORS: 'allowed-domains', BASE_PATH: '/api' });
    account = await createClient(service, 'browsers');
    foreigner = await createClient(service, 'foreigner');
    served = await serveShop();
    await service.operator.accounts.allowDomain('browsers', served.origin);
    browser = await launchChromium(executablePath);
    page = await browser.newPage();
    await page.goto(served.origin);
    await page.waitForFunction('globalThis.shop !== undefined');
  });
  afterAll(async () => {
    await browser.close();
    await served.stop();
    await open.stop();
    await service.stop();
  });

  const optionsOf = ({ account: { token, secretKey } }: Client): PageOptions => {
    // The browser sends its own Origin and User-Agent.
    const ignored = { origin: 'https://ignored.example', userAgent: 'shop/1.0' };
    return { baseUrl: open.baseUrl, token, secretKey, ...ignored };
  };
  const deleteJobs = (options: PageOptions, jobIds: readonly string[]) =>
    page.evaluate(([first, second]) => shop.deleteJobs(first, second), [options, jobIds] as const);
  const call = (baseUrl: string, { token, secretKey }: Client['account'], jobIds: readonly string[]) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      Usersecretkey: secretKey,
      'Content-Type': 'application/json',
      'Accept-Language': 'en',
      'X-Client-Lang': 'JavaScript',
    };
    return page.evaluate(([url, init]) => shop.call(url, init), [
      baseUrl + pathOf('json'),
      { headers, body: jsonBody(jobIds) },
    ] as const);
  };

  test.each(['json', 'xml'] as const)('the TypeScript client deletes jobs with %s', async (format) => {
    const jobIds = await account.newJobs(3);
    const { acceptedJobs, removed } = await deleteJobs({ ...optionsOf(account), format }, jobIds);
    expect([acceptedJobs, removed.map(({ jobs }) => jobs)]).toEqual([3, [3]]);
    expect(await findJobs('browsers', jobIds)).toEqual([]);
  });

  test('a page reads a refusal, and its Request-Id', async () => {
    const answer = await call(open.baseUrl, account.account, ['NoSuchJob']);
    expect(answer).toMatchObject({
      status: 404,
      json: { code: 'job_not_found', errors: [{ job_id: 'NoSuchJob' }] },
    });
    expect((answer.json as { instance: string }).instance).toBe(
      `urn:uuid:${String(answer.headers['request-id'])}`,
    );
  });

  test('a page whose origin the account does not allow is refused, and can read why', async () => {
    const jobIds = await foreigner.newJobs(1);
    const answer = await call(open.baseUrl, foreigner.account, jobIds);
    expect(answer).toMatchObject({ status: 403, json: { code: 'origin_not_allowed' } });
    expect(await findJobs('foreigner', jobIds)).toEqual(jobIds);
  });

  test('while CORS is off, the browser sends no deletion', async () => {
    const jobIds = await account.newJobs(1);
    await expect(call(service.baseUrl, account.account, jobIds)).rejects.toThrow('Failed to fetch');
    expect(await findJobs('browsers', jobIds)).toEqual(jobIds);
  });

  async function findJobs(accountId: string, jobIds: readonly string[]): Promise<string[]> {
    const found = await Promise.all(jobIds.map((id) => service.operator.store.findJob(accountId, id)));
    return found.flatMap((job) => (job === undefined || job.deletionId !== undefined ? [] : [job.id]));
  }
});

interface Shop {
  /** The origin of the page. The API has another one. */
  readonly origin: string;
  stop(): Promise<void>;
}

/** Serves a page that uses the built TypeScript client. */
async function serveShop(): Promise<Shop> {
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
