import { beforeAll, test } from '@jest/globals';
import { createClient, type Client } from '../http/client.ts';
import { describeWith } from '../servers/describe-with.ts';
import { expectScreenshot } from './expect-screenshot.ts';
import { fillForm, readAnswer, submitForm } from './page-actions.ts';
import { visitDocuments } from './use-chromium.ts';

describeWith('chromium', 'the screenshots in docs', (executablePath) => {
  const visitor = visitDocuments(executablePath);
  let client: Client;
  beforeAll(async () => {
    client = await createClient(visitor.service(), 'reader');
    await visitor.service().operator.accounts.allowDomain('reader', visitor.origin());
  });

  test('show the top of the page, wide and light', async () => {
    const page = await visitor.open('/docs/en', { colorScheme: 'light' });
    await expectScreenshot(page, 'docs/screenshots/docs-wide-light.png');
  });

  test('show the examples, narrow and dark', async () => {
    const viewport = { width: 360, height: 740 };
    const page = await visitor.open('/docs/fr#examples', { colorScheme: 'dark', viewport });
    await expectScreenshot(page, 'docs/screenshots/docs-narrow-dark.png');
  });

  test('show the answer of the sandbox', async () => {
    const viewport = { width: 1_000, height: 1_150 };
    const page = await visitor.open('/docs/es#sandbox', { colorScheme: 'light', viewport });
    await fillForm(page, client.account, await client.newJobs(2));
    await submitForm(page);
    await readAnswer(page);
    await expectScreenshot(page, 'docs/screenshots/docs-sandbox.png');
  });
});
