// The script of the documentation page. Credentials stay in the fields of the form: the script stores nothing.

const form = document.querySelector('#sandbox-form');
const answer = document.querySelector('#sandbox-answer');

const originChoice = document.querySelector('#origin-choice');

/** Writes a text into every place of the page that shows this address. */
function fillIn(address, text) {
  for (const place of document.querySelectorAll(`[data-address="${address}"]`)) place.textContent = text;
}

/** Shows the addresses of this API and of this page, where the server does not know them. */
function showAddresses() {
  fillIn('api', new URL(form.dataset.root, document.baseURI).href.replace(/\/$/, ''));
  fillIn('page', location.origin);
}

/**
 * Returns the origin of an address, or undefined. The reader pastes it into a shell, so its host may have letters, digits,
 * dots and dashes only: a URL may contain quotes, `$` and `;`.
 */
function originOf(text) {
  if (!URL.canParse(text)) return undefined;
  const { origin } = new URL(text);
  return /^https?:\/\/[a-z0-9.-]+(:\d+)?$/.test(origin) ? origin : undefined;
}

const { placeholder } = originChoice.elements.origin;

/** Shows the caller's own origin in the examples. */
function showOwnOrigin() {
  const { origin: field } = originChoice.elements;
  const origin = originOf(field.value.trim());
  field.setCustomValidity(field.value === '' || origin !== undefined ? '' : placeholder);
  fillIn('own', origin ?? placeholder);
}

/** Takes the caller's own origin from the address of the page, such as /docs?origin=https://shop.example. */
function readOwnOrigin() {
  originChoice.hidden = false;
  originChoice.elements.origin.value = originOf(new URLSearchParams(location.search).get('origin')) ?? '';
  originChoice.addEventListener('input', showOwnOrigin);
  originChoice.addEventListener('submit', (event) => event.preventDefault());
  showOwnOrigin();
}

/** Shows the example of the selected language and format. */
function showExample() {
  const { language, format } = Object.fromEntries(new FormData(document.querySelector('#example-choice')));
  for (const example of document.querySelectorAll('.example'))
    example.hidden = example.id !== `example-${language}-${format}`;
}

async function copyExample({ currentTarget: button }) {
  const { copied, copy } = button.dataset;
  await navigator.clipboard.writeText(button.closest('.code').querySelector('pre').textContent);
  button.textContent = copied;
  button.addEventListener('blur', () => (button.textContent = copy), { once: true });
}

const escapeXml = (text) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
const encoders = {
  json: (jobIds) => JSON.stringify({ jobs: { job: jobIds.map((id) => ({ id })) } }),
  xml: (jobIds) => {
    const jobs = jobIds.map((id) => `<job><id>${escapeXml(id)}</id></job>`).join('');
    return `<?xml version="1.0" encoding="UTF-8"?><jobs>${jobs}</jobs>`;
  },
};

async function sendToSandbox() {
  const { format, token, 'secret-key': secretKey, 'job-ids': text } = Object.fromEntries(new FormData(form));
  const jobIds = text.split(/\s+/).filter((id) => id !== '');
  const response = await fetch(`${form.dataset.root}/v1-sandbox/${format}/jobs-delete`, {
    method: 'DELETE',
    headers: {
      Authorization: `Bearer ${token}`,
      Usersecretkey: secretKey,
      'Content-Type': `application/${format}`,
      'Accept-Language': document.documentElement.lang,
      'X-Client-Lang': 'JavaScript',
    },
    body: encoders[format](jobIds),
    // With the page's policy, some browsers would send `Origin: null`.
    referrerPolicy: 'same-origin',
  });
  const headers = ['Sandbox', 'Request-Id'].map((name) => `${name}: ${response.headers.get(name)}`);
  const body = JSON.stringify(await response.json(), undefined, 2);
  return [`HTTP ${response.status}`, ...headers, '', body].join('\n');
}

async function onSubmit(event) {
  event.preventDefault();
  if (form.getAttribute('aria-busy') === 'true') return;
  form.setAttribute('aria-busy', 'true');
  answer.textContent = form.dataset.sending;
  answer.textContent = await sendToSandbox().catch(() => form.dataset.noAnswer);
  form.removeAttribute('aria-busy');
}

showAddresses();
readOwnOrigin();
showExample();
document.querySelector('#example-choice').addEventListener('change', showExample);
form.addEventListener('submit', onSubmit);
for (const button of document.querySelectorAll('.copy')) {
  // The clipboard exists in secure contexts only.
  button.hidden = navigator.clipboard === undefined;
  button.addEventListener('click', copyExample);
}
