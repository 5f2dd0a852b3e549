// Adds comfort to pages that work without it.

// <button data-copies="ID"> copies the text of an element. It stays hidden without script.
for (const button of document.querySelectorAll('button[data-copies]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent);
    button.textContent = button.dataset.copied;
  });
}
