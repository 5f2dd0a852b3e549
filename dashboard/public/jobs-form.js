// The forms that delete jobs.

// <output data-one="1 id" data-many="# ids" for="ID"> shows how many distinct ids a field has. It stays hidden for XML, JSON and a table:
// there, only some words are ids. The first line of a table has one of `data-titles`, or several words and no digit.
function showCount(field) {
  const output = document.querySelector(`output[data-many][for="${field.id}"]`);
  if (output === null) return;
  const { one, many, titles } = output.dataset;
  const text = field.value.trim();
  const plain = (name) =>
    name
      .trim()
      .toLowerCase()
      .replaceAll(/[ _"-]/g, '');
  const [first, ...others] = text.split('\n');
  const head = first.split(/[,;\t]/).map(plain);
  const isMixed =
    /^[<{]/.test(text) ||
    (others.length > 0 && head.length > 1 && !/\d/.test(first)) ||
    titles
      .split(' ')
      .map(plain)
      .some((title) => head.includes(title));
  const words = isMixed ? [] : text.split(/[\s,;"'[\]]+/);
  const count = new Set(words.filter((word) => /^[a-z\d]{4,128}$/i.test(word))).size;
  output.hidden = count === 0;
  output.textContent =
    count === 1 ? one : many.replace('#', count.toLocaleString(document.documentElement.lang));
}
document.addEventListener('input', ({ target }) => showCount(target));
// Back and a reload restore the text.
window.addEventListener('pageshow', () => document.querySelectorAll('textarea').forEach(showCount));

// <div data-reads-into="ID"> with a file field copies the text of a file into a field, and names it in its element with `data-file`.
// It stays hidden without script. Of XML, it copies the elements of `data-elements` and those around them: a whole feed is too large
// for a form. A file that is not text, or has the name of a workbook, is sent to `data-workbook`: the answer has the field with the ids
// of a workbook, or with what is wrong. Of a file above `data-max-bytes`, only the beginning is sent: no workbook. Without such an
// answer, or if the file cannot be read, it shows `data-not-sent`, or asks to sign in. A text that is longer than `data-max-form-bytes`
// as a form is not copied: it shows `data-too-long`.
for (const part of document.querySelectorAll('[data-reads-into]')) {
  const { readsInto, elements, workbook, maxBytes, maxFormBytes } = part.dataset;
  const alert = part.querySelector('[data-not-sent]');
  const tooLong = part.querySelector('[data-too-long]');
  const shown = part.querySelector('[data-file]');
  const fieldIn = (page) => page?.getElementById(readsInto)?.closest('.field');
  part.hidden = false;
  part.querySelector('input').addEventListener('change', async ({ target }) => {
    const [file] = target.files;
    if (!file) return;
    alert.hidden = true;
    tooLong.hidden = true;
    shown.textContent = file.name;
    // Nobody sends the ids of an earlier file meanwhile.
    document.getElementById(readsInto).value = '';
    const isWorkbook = /\.xlsx$/i.test(file.name);
    // The browser can't read a file that is gone, or that has more characters than a string can have.
    const text = isWorkbook ? '' : await file.text().catch(() => undefined);
    if (target.files[0] !== file) return;
    const copied = shortenXml(text ?? '', elements.split(' '));
    if (text === undefined) {
      alert.hidden = false;
    } else if (isWorkbook || /[^\P{Cc}\t\n\v\f\r]/u.test(copied)) {
      const sent = file.size <= maxBytes ? file : file.slice(0, 4);
      const page = await sendWorkbook(workbook, sent, target.form).catch(() => undefined);
      if (target.files[0] !== file) return;
      const answer = fieldIn(page);
      alert.hidden = answer !== undefined;
      const refused = answer?.querySelector('[autofocus]');
      // `autofocus` does nothing here: the file field has the focus.
      refused?.removeAttribute('autofocus');
      if (answer) fieldIn(document).replaceWith(answer);
      refused?.focus();
    } else {
      // Browsers take a minute to lay out a field with megabytes.
      tooLong.hidden = copied.length <= maxFormBytes && formBytes(readsInto, copied) <= maxFormBytes;
      if (tooLong.hidden) document.getElementById(readsInto).value = copied;
    }
    showCount(document.getElementById(readsInto));
  });
  for (const type of ['dragenter', 'dragleave', 'drop'])
    part.addEventListener(type, ({ relatedTarget }) => {
      // Whoever drags over the box enters and leaves its elements too.
      const isWithin = type === 'dragleave' && part.contains(relatedTarget);
      part.classList.toggle('over', type === 'dragenter' || isWithin);
    });
}

function formBytes(name, text) {
  return String(new URLSearchParams({ [name]: text.replaceAll(/\r?\n/g, '\r\n') })).length;
}

async function sendWorkbook(path, file, form) {
  const reader = new FileReader();
  const read = new Promise((resolve, reject) => {
    reader.addEventListener('load', () => resolve(reader.result.split(',')[1]));
    reader.addEventListener('error', () => reject(reader.error));
  });
  reader.readAsDataURL(file);
  const body = new URLSearchParams({ csrf: form.elements.csrf.value, file: await read });
  const answer = await fetch(path, { method: 'POST', body });
  // To the page that asks to sign in.
  if (answer.redirected) location.assign(answer.url);
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

function shortenXml(text, names) {
  if (!text.trimStart().startsWith('<')) return text;
  const feed = new DOMParser().parseFromString(text, 'application/xml');
  if (feed.querySelector('parsererror') !== null) return text;
  // Children first: so an element whose children are removed is removed too.
  for (const each of [...feed.documentElement.querySelectorAll('*')].reverse())
    if (each.childElementCount === 0 && !names.includes(each.localName.toLowerCase())) each.remove();
  return new XMLSerializer().serializeToString(feed);
}

// <input data-ends-selection> ends every selection of the tab when its form is sent, except by a button that leads elsewhere.
for (const field of document.querySelectorAll('[data-ends-selection]'))
  field.form.addEventListener('submit', ({ submitter }) => {
    if (!submitter.hasAttribute('formaction')) window.sessionStorage.clear();
  });

// After Back and Forward, which show a page as it was, <div data-earlier> is in view. If the history has the page that <p data-accepted>
// links to, that <p> is in view instead, and the buttons that would delete again are disabled. A browser without `navigation` shows
// the first.
window.addEventListener('pageshow', ({ persisted }) => {
  const [{ type }] = window.performance.getEntriesByType('navigation');
  const isEarlier = persisted || type === 'back_forward';
  const opened = new Set(window.navigation?.entries().map(({ url }) => url?.split('?', 1)[0]));
  for (const part of document.querySelectorAll('[data-earlier]')) {
    const form = part.closest('form');
    const accepted = form.querySelector('[data-accepted]');
    const isAccepted = isEarlier && accepted !== null && opened.has(accepted.querySelector('a').href);
    part.hidden = !isEarlier || isAccepted;
    if (!isAccepted) continue;
    accepted.hidden = false;
    for (const button of form.querySelectorAll('button:not([formaction])')) button.disabled = true;
  }
});
