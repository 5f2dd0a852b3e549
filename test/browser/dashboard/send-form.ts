import type { Page } from 'playwright-core';

/** Fills in a form, also its hidden fields, sends it without the checks and scripts of the browser, and waits for its answer. */
export async function sendForm(
  page: Page,
  selector: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<void> {
  const loaded = page.waitForEvent('load');
  await page.evaluate(
    `{
      const form = document.querySelector(${JSON.stringify(selector)});
      for (const [name, value] of Object.entries(${JSON.stringify(fields)})) form.elements[name].value = value;
      form.submit();
    }`,
  );
  await loaded;
}
