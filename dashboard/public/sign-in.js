// Passkeys: nobody can use one without script.

const bytes = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );
const text = (buffer) =>
  buffer &&
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const withBytes = (credentials = []) => credentials.map((one) => ({ ...one, id: bytes(one.id) }));

// Older browsers lack the conversions from and to JSON.
function readCreationOptions(options) {
  if (PublicKeyCredential.parseCreationOptionsFromJSON)
    return PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return {
    ...options,
    challenge: bytes(options.challenge),
    user: { ...options.user, id: bytes(options.user.id) },
    excludeCredentials: withBytes(options.excludeCredentials),
  };
}

function readRequestOptions(options) {
  if (PublicKeyCredential.parseRequestOptionsFromJSON)
    return PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return {
    ...options,
    challenge: bytes(options.challenge),
    allowCredentials: withBytes(options.allowCredentials),
  };
}

function toJson(credential) {
  const { id, rawId, type, response, authenticatorAttachment } = credential;
  return {
    id,
    rawId: text(rawId),
    type,
    authenticatorAttachment,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: {
      clientDataJSON: text(response.clientDataJSON),
      ...(response.attestationObject
        ? {
            attestationObject: text(response.attestationObject),
            transports: response.getTransports?.() ?? [],
          }
        : {
            authenticatorData: text(response.authenticatorData),
            signature: text(response.signature),
            userHandle: text(response.userHandle),
          }),
    },
  };
}

async function runCeremony(form) {
  const { csrf, response } = form.elements;
  const body = new URLSearchParams({ csrf: csrf.value });
  const answer = await fetch(form.dataset.options, { method: 'POST', body });
  if (!answer.ok) throw new Error(`the options were answered with ${answer.status}`);
  const options = await answer.json();
  const credential =
    form.dataset.passkey === 'create'
      ? await navigator.credentials.create({ publicKey: readCreationOptions(options) })
      : await navigator.credentials.get({ publicKey: readRequestOptions(options) });
  response.value = JSON.stringify(toJson(credential));
}

/** Signs in without leaving the page, then sends the form that waits for it. */
async function continueForm(form) {
  const answer = await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
  if (!answer.ok) throw new Error(`the sign-in was answered with ${answer.status}`);
  document.getElementById(form.dataset.continues).submit();
}

// <form data-passkey="create|get" data-options="PATH"> stays hidden without script and without WebAuthn, below a warning. With
// `data-continues`, it sends the form with this id after the sign-in.
for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (!window.PublicKeyCredential) continue;
  form.previousElementSibling.hidden = true;
  form.hidden = false;
  const problem = form.querySelector('[data-passkey-problem]');
  const button = form.querySelector('button');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    problem.hidden = true;
    button.disabled = true;
    try {
      await runCeremony(form);
      if (form.dataset.continues) await continueForm(form);
      else form.submit();
    } catch {
      // The person has cancelled, has no passkey here, or the dashboard does not answer.
      problem.hidden = false;
    } finally {
      button.disabled = false;
    }
  });
}
