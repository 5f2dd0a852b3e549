import { beforeAll, expect, test } from '@jest/globals';
import { createClient, type Accepted, type Client, type Problem } from '../http/client.ts';
import { languages, problems } from '../http/contract.ts';
import { describeWith } from '../servers/describe-with.ts';
import { auditPage, fillForm, readAnswer, submitForm, tabTo } from './page-actions.ts';
import { visitDocuments } from './use-chromium.ts';

describeWith('chromium', 'the form of the documentation in Chromium', (executablePath) => {
  const visitor = visitDocuments(executablePath);
  let client: Client;
  beforeAll(async () => {
    client = await createClient(visitor.service(), 'reader');
    await visitor.service().operator.accounts.allowDomain('reader', visitor.origin());
  });

  test.each(['JSON', 'XML'])('sends a sandbox deletion as %s, which deletes nothing', async (format) => {
    const jobIds = await client.newJobs(2);
    const page = await visitor.open('/docs/en');
    await page.locator('#sandbox-form').getByLabel(format).check();
    await fillForm(page, client.account, jobIds);
    const request = page.waitForRequest((sent) => sent.method() === 'DELETE');
    await submitForm(page);
    expect(new URL((await request).url()).pathname).toBe(
      `/a.b/v1-sandbox/${format.toLowerCase()}/jobs-delete`,
    );
    const { head, body } = await readAnswer(page);
    expect(head).toMatch(/^HTTP 200\nSandbox: true\nRequest-Id: [0-9a-f-]{36}$/);
    expect((body as Accepted).results.map(({ job_id }) => job_id)).toEqual(jobIds);
    expect(await auditPage(page)).toEqual([]);
    const { store } = visitor.service().operator;
    for (const id of jobIds) expect((await store.findJob('reader', id))?.deletionId).toBeUndefined();
  });

  test('works with the keyboard alone, and shows where the focus is', async () => {
    const jobIds = await client.newJobs(2);
    const page = await visitor.open('/docs/en');
    const { keyboard } = page;
    await tabTo(page, '[name=language]');
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    expect(await page.locator('.example:visible').getAttribute('id')).toBe('example-python-json');
    await tabTo(page, '[name=token]');
    await keyboard.type(client.account.token);
    await tabTo(page, '[name=secret-key]');
    await keyboard.type(client.account.secretKey);
    await tabTo(page, '[name=job-ids]');
    await keyboard.press('Control+A');
    await keyboard.type(jobIds.join('\n'));
    await tabTo(page, '[type=submit]');
    await keyboard.press('Enter');
    const { head } = await readAnswer(page);
    expect(head).toMatch(/^HTTP 200\n/);
    expect(await page.evaluate('document.activeElement.type')).toBe('submit');
  });

  test.each(languages)('shows a refusal in the language of the page: %s', async (language) => {
    const page = await visitor.open(`/docs/${language}`);
    await fillForm(page, { ...client.account, token: 'wrong' }, ['NoSuchJob']);
    await submitForm(page);
    const { head, body } = await readAnswer(page);
    expect(head).toMatch(/^HTTP 403\n/);
    expect((body as Problem).title).toBe(problems.token_invalid[language]);
    expect(await auditPage(page)).toEqual([]);
    expect(visitor.takeFaults()).toEqual([expect.stringContaining('status of 403')]);
  });

  test('says that there is no answer', async () => {
    const page = await visitor.open('/docs/en');
    await page.route('**/v1-sandbox/**', (route) => route.abort());
    await fillForm(page, client.account, ['NoSuchJob']);
    await submitForm(page);
    await page.getByRole('status').getByText('No answer.').waitFor();
    expect(visitor.takeFaults()).toHaveLength(2);
  });

  test('stores nothing, and the credentials are gone after a reload', async () => {
    const page = await visitor.open('/docs/en');
    await fillForm(page, client.account, await client.newJobs(1));
    await submitForm(page);
    await readAnswer(page);
    expect(page.url()).toBe(`${visitor.service().baseUrl}/docs/en`);
    expect(await page.context().storageState({ indexedDB: true })).toEqual({ cookies: [], origins: [] });
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.reload();
    expect(await page.locator('[name=token]').inputValue()).toBe('');
    expect(await page.locator('[name=secret-key]').inputValue()).toBe('');
  });
});
