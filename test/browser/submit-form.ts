import type { Page } from 'playwright-core';
import type { Client } from '../http/client.ts';

/** Fills the form of the documentation page. */
export async function fillForm(
  page: Page,
  { token, secretKey }: Client['account'],
  jobIds: readonly string[],
): Promise<void> {
  await page.locator('[name=token]').fill(token);
  await page.locator('[name=secret-key]').fill(secretKey);
  await page.locator('[name=job-ids]').fill(jobIds.join('\n'));
}

export async function submitForm(page: Page): Promise<void> {
  await page.locator('#sandbox-form').getByRole('button').click();
}

/** Waits for the answer that the page shows. Returns its status and headers, and its body. */
export async function readAnswer(page: Page): Promise<{ head: string; body: unknown }> {
  const status = page.getByRole('status');
  await status.getByText(/^HTTP \d/).waitFor();
  const [head = '', ...body] = ((await status.textContent()) ?? '').split('\n\n');
  return { head, body: JSON.parse(body.join('\n\n')) };
}
