// The script of the documentation page. Credentials stay in the fields of the form: the script stores nothing.

const form = document.querySelector('#sandbox-form');
const answer = document.querySelector('#sandbox-answer');

/** Shows the address of this API, where the server does not know it. */
function showAddresses() {
  const api = new URL(form.dataset.root, document.baseURI).href.replace(/\/$/, '');
  for (const place of document.querySelectorAll('[data-address="api"]')) place.textContent = api;
  for (const place of document.querySelectorAll('[data-address="origin"]'))
    place.textContent = location.origin;
}

/** Shows the example of the selected language and format. */
function showExample() {
  const { language, format } = Object.fromEntries(new FormData(document.querySelector('#example-choice')));
  for (const example of document.querySelectorAll('.example'))
    example.hidden = example.id !== `example-${language}-${format}`;
}

async function copyExample({ currentTarget: button }) {
  const { copied, copy } = button.dataset;
  await navigator.clipboard.writeText(button.parentElement.querySelector('pre').textContent);
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
showExample();
document.querySelector('#example-choice').addEventListener('change', showExample);
form.addEventListener('submit', onSubmit);
for (const button of document.querySelectorAll('.copy')) {
  // The clipboard exists in secure contexts only.
  button.hidden = navigator.clipboard === undefined;
  button.addEventListener('click', copyExample);
}
