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

async function post(path, body) {
  const answer = await fetch(path, { method: 'POST', body });
  if (!answer.ok) throw Object.assign(new Error('the dashboard refuses'), { status: answer.status });
  return answer;
}

async function runCeremony(form) {
  const { csrf, response } = form.elements;
  const answer = await post(form.dataset.options, new URLSearchParams({ csrf: csrf.value }));
  const options = await answer.json();
  const credential =
    form.dataset.passkey === 'create'
      ? await navigator.credentials.create({ publicKey: readCreationOptions(options) })
      : await navigator.credentials.get({ publicKey: readRequestOptions(options) });
  response.value = JSON.stringify(toJson(credential));
}

// <form data-passkey="create|get" data-options="PATH"> stays hidden without script and without WebAuthn, below a warning. With
// `data-continues`, it sends the form with this id after the sign-in.
for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (!window.PublicKeyCredential) continue;
  form.previousElementSibling.hidden = true;
  form.hidden = false;
  const problem = form.querySelector('[data-passkey-problem]');
  const exists = form.querySelector('[data-passkey-exists]');
  const button = form.querySelector('button');
  const waiting = document.getElementById(form.dataset.continues ?? '');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    problem.hidden = exists.hidden = true;
    button.disabled = true;
    try {
      await runCeremony(form);
      if (waiting !== null) await post(form.action, new URLSearchParams(new FormData(form)));
      (waiting ?? form).submit();
    } catch ({ name, status }) {
      // The browser has another session by now. The waiting form changes nothing: its answer says how to go on.
      if (waiting !== null && (status === 403 || status === 404)) waiting.submit();
      else if (name === 'InvalidStateError') exists.hidden = false;
      // The person has cancelled, has no passkey here, or the dashboard does not answer.
      else problem.hidden = false;
    } finally {
      button.disabled = false;
    }
  });
}
