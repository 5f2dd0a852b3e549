import { expect, test } from '@jest/globals';
import { describeWith } from '../../servers/describe-with.ts';
import { visitDashboard } from './visit-dashboard.ts';

describeWith('chromium', 'the field for ids, with script', (executablePath) => {
  const visitor = visitDashboard(executablePath);

  test('its number of ids is shown for a list, also of 10,000 and of a file, and not for a table whose other cells look like ids', async () => {
    const page = await visitor.openBrowser({}, await visitor.signIn('counted', 'manager'));
    await page.goto('/jobs/delete');
    const field = page.locator('[name=ids]');
    const output = page.locator('output[for=ids]');
    const shown = async (text: string) => {
      // Chromium takes seconds to type 10,000 lines.
      await field.evaluate((element, value) => {
        Object.assign(element, { value });
        element.dispatchEvent(new Event('input', { bubbles: true }));
      }, text);
      return (await output.isVisible()) ? output.textContent() : undefined;
    };
    expect(await shown('Alpha001')).toBe('1 id');
    expect(await shown('Alpha001, Alpha002\nno-id Alpha001')).toBe('2 ids');
    const many = Array.from({ length: 10_000 }, (_, index) => `Many${String(index)}`);
    expect(await shown(many.join('\n'))).toBe('10,000 ids');
    for (const text of [
      '',
      'no-id',
      'Job_ID;Title\nAlpha001;Cook1',
      'title,ref\nNurse,Alpha001',
      '<jobs><job><id>Alpha001</id></job></jobs>',
    ])
      expect(await shown(text)).toBeUndefined();

    const file = { name: 'some.txt', mimeType: '', buffer: Buffer.from('Beta0001\nBeta0002\nBeta0003') };
    await page.locator('input[type=file]').setInputFiles(file);
    await output.getByText('3 ids').waitFor();
    expect(await page.locator('[data-file]').textContent()).toBe('some.txt');
    expect(visitor.takeFaults()).toEqual([]);
  });

  test('a text longer than the form is not copied, and one as long as it is', async () => {
    const page = await visitor.openBrowser({}, await visitor.signIn('long', 'manager'));
    await page.goto('/jobs/delete');
    const choose = (count: number) => {
      const ids = Array.from({ length: count }, (_, index) => String(index).padStart(128, 'x'));
      const file = { name: 'some.txt', mimeType: '', buffer: Buffer.from(ids.join('\n')) };
      return page.locator('input[type=file]').setInputFiles(file);
    };
    const tooLong = page.getByText('The file is too long for this form');
    await choose(12_000);
    await tooLong.waitFor();
    expect(await page.locator('[name=ids]').inputValue()).toBe('');
    await choose(10_000);
    await tooLong.waitFor({ state: 'hidden' });
    await page.getByText('10,000 ids', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.locator('[name=ids][aria-invalid]').waitFor();
    expect(visitor.takeFaults()).toEqual([expect.stringContaining('status of 422')]);
  });

  test('a file that the browser cannot read has an alert, and no number of ids', async () => {
    const page = await visitor.openBrowser({}, await visitor.signIn('unread', 'manager'));
    await page.goto('/jobs/delete');
    await page.locator('[name=ids]').fill('Good0001');
    await page.getByText('1 id', { exact: true }).waitFor();
    await page.evaluate("Blob.prototype.text = () => Promise.reject(new Error('The file is gone.'))");
    const file = { name: 'some.txt', mimeType: '', buffer: Buffer.from('Good0002') };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText('The file could not be sent.').waitFor();
    await page.getByText('1 id', { exact: true }).waitFor({ state: 'hidden' });
    expect(visitor.takeFaults()).toEqual([]);
  });

  test.each(['jobs.xlsx', 'JOBS.XLSX'])('a text named %s is refused, not taken for an id', async (name) => {
    const page = await visitor.openBrowser({}, await visitor.signIn('named', 'manager'));
    await page.goto('/jobs/delete');
    const file = { name, mimeType: '', buffer: Buffer.from('garbage') };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText('it is neither text in UTF-8 nor an XLSX workbook').waitFor();
    expect(await page.locator('[name=ids]').inputValue()).toBe('');
    expect(visitor.takeFaults()).toEqual([expect.stringContaining('status of 422')]);
  });
});
