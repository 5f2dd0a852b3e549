// Adds comfort to pages that work without it.

// <button data-copies="ID"> copies the text of an element, or its `data-text`. It stays hidden without script.
// Plain HTTP has no clipboard.
function showCopyButtons(part) {
  for (const button of navigator.clipboard ? part.querySelectorAll('button[data-copies]') : []) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      const { copies, text } = button.dataset;
      await navigator.clipboard.writeText(text ?? document.getElementById(copies).textContent);
      button.textContent = button.dataset.copied;
      button.removeAttribute('aria-label');
      button.removeAttribute('title');
    });
  }
}
showCopyButtons(document);

// <button data-saved="TEXT"> says that the secret of this page is saved, becomes this text, and leads to the link after it. Until then, the browser
// asks before it leaves the page, and `[data-until-saved]` is in view. From then on, the history has the page of the link in
// its place.
for (const button of document.querySelectorAll('button[data-saved]')) {
  const onward = button.nextElementSibling;
  const ask = (event) => event.preventDefault();
  window.addEventListener('beforeunload', ask);
  button.hidden = false;
  button.addEventListener('click', () => {
    window.removeEventListener('beforeunload', ask);
    const said = document.createElement('span');
    said.className = 'badge good';
    said.textContent = button.dataset.saved;
    button.replaceWith(said);
    for (const warning of document.querySelectorAll('[data-until-saved]')) warning.hidden = true;
    onward?.removeAttribute('hidden');
    onward?.focus();
    if (onward) window.history.replaceState(null, '', onward.href);
  });
}

// <form data-replaces="ID"> replaces one element with the element of the answer. So the fields keep their values, and no
// page has to contain them. Without an answer, it shows its element with the role `alert`.
for (const form of document.querySelectorAll('form[data-replaces]')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button:not([form])');
    const alert = form.querySelector('[data-unanswered]');
    button.disabled = true;
    alert.hidden = true;
    try {
      const body = new URLSearchParams(new FormData(form));
      const answer = await fetch(form.action, { method: 'POST', body });
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const part = document.getElementById(form.dataset.replaces);
      const replacement = page.getElementById(form.dataset.replaces);
      // A page for a refused form or an ended session has no such element.
      if (answer.status === 422 || replacement === null) return form.submit();
      part.replaceChildren(...replacement.childNodes);
      showCopyButtons(part);
      part.focus();
    } catch {
      alert.hidden = false;
    } finally {
      button.disabled = false;
    }
  });
}

// <input data-preview="ID"> shows in an element what the page shows there for the value of the field.
for (const field of document.querySelectorAll('input[data-preview]')) {
  const preview = document.getElementById(field.dataset.preview);
  let asks = false;
  field.addEventListener('input', async () => {
    if (asks) return;
    asks = true;
    try {
      for (let value; value !== field.value;) {
        value = field.value;
        const answer = await fetch(`?${new URLSearchParams({ [field.name]: value })}`);
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
        // A page that asks to sign in has no such element.
        preview.replaceChildren(...(page.getElementById(preview.id)?.childNodes ?? []));
      }
    } finally {
      asks = false;
    }
  });
}

// <label data-selects="NAME"> has a box that selects all boxes of this name in its form, or none. A click with Shift also selects the
// boxes since the last click, or unselects them. The tab keeps the selection from page to page, until a reset, the session or
// `data-ends-selection` ends it. The form sends it whole. Its <output> shows how many they are, beside its buttons, which are in
// view while there are any. Its link with `data-with-all` is in view while all boxes are selected. Label and number are hidden
// without script.
for (const label of document.querySelectorAll('label[data-selects]')) {
  const all = label.querySelector('input');
  const { form } = all;
  const output = form.querySelector('output');
  const more = form.querySelector('[data-with-all]');
  const { selects: name } = label.dataset;
  const boxes = [...form.elements].filter((each) => each.name === name);
  const key = `selected ${form.action} ${form.elements.csrf.value}`;
  let selected;
  let last;
  const show = () => {
    for (const box of boxes) box.checked = selected.has(box.value);
    all.checked = boxes.every(({ checked }) => checked);
    all.indeterminate = !all.checked && boxes.some(({ checked }) => checked);
    if (more) more.hidden = !all.checked;
    output.querySelector('strong').textContent = selected.size;
    output.parentElement.hidden = selected.size === 0;
  };
  const keep = () => {
    window.sessionStorage.setItem(key, JSON.stringify([...selected]));
    show();
  };
  label.hidden = false;
  output.firstElementChild.hidden = false;
  form.addEventListener('click', ({ target, shiftKey }) => {
    const index = boxes.indexOf(target);
    if (target !== all && index === -1) return;
    const from = shiftKey ? (last ?? index) : index;
    if (index !== -1) last = index;
    const range = boxes.slice(Math.min(from, index), Math.max(from, index) + 1);
    for (const box of target === all ? boxes : range)
      if (target.checked) selected.add(box.value);
      else selected.delete(box.value);
    keep();
  });
  form.addEventListener('reset', () => {
    selected.clear();
    keep();
    all.focus();
  });
  form.addEventListener('formdata', ({ formData }) => {
    formData.delete(name);
    for (const value of selected) formData.append(name, value);
  });
  // Back and a reload restore the boxes as they were, and perhaps the whole page.
  window.addEventListener('pageshow', () => {
    selected = new Set(JSON.parse(window.sessionStorage.getItem(key) ?? '[]'));
    show();
  });
}

// A field with a list of suggestions offers those that contain its text. So what a person types replaces the text.
for (const field of document.querySelectorAll('input[list]'))
  field.addEventListener('focus', () => field.select());

// <button data-zone="ZONE" hidden> fills in the time zone of the browser, which it names. It stays hidden if that is the same zone,
// or unknown.
for (const button of document.querySelectorAll('[data-zone]')) {
  const { timeZone: own } = new Intl.DateTimeFormat().resolvedOptions();
  button.hidden = own === currentName(button.dataset.zone) || own === 'Etc/Unknown';
  button.append(` ${own}`);
  button.addEventListener('click', () => {
    button.form.elements.zone.value = own;
  });
}

// Returns the name that this browser has for a zone. It may know an older one only.
function currentName(timeZone) {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return timeZone;
  }
}

// <div data-events="PATH"> shows the HTML of each event, until it contains no element with `data-unfinished`. An element with
// `data-live` renews the content of the one of the page with the same name.
for (const part of document.querySelectorAll('[data-events]')) {
  const source = new EventSource(part.dataset.events);
  source.addEventListener('message', ({ data }) => {
    const page = new DOMParser().parseFromString(data, 'text/html');
    for (const fresh of page.querySelectorAll('[data-live]')) {
      document.querySelector(`[data-live="${fresh.dataset.live}"]`)?.replaceChildren(...fresh.childNodes);
      fresh.remove();
    }
    part.replaceChildren(...page.body.childNodes);
    if (part.querySelector('[data-unfinished]') === null) source.close();
  });
}

// <main data-refused> is the answer to a refused form. The history gets its page instead: neither a reload nor Back sends the form
// again. A long input stays in the answer, because the page would lose it. A form's target has no query, its page may have one.
const refused = document.querySelector('main[data-refused]');
if (refused !== null && refused.querySelector('textarea') === null) {
  const { origin, pathname } = window.location;
  const { referrer } = document;
  window.history.replaceState(null, '', referrer.split('?', 1)[0] === origin + pathname ? referrer : '');
}
