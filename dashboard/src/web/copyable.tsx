import { type Language, type Translated, translated } from './language.ts';

interface ButtonProps {
  readonly button: string;
  readonly language: Language;
}

/** Copies a text, or that of the element with the id. */
export type CopyButtonProps = ButtonProps &
  ({ readonly id: string; readonly text?: never } | { readonly text: string; readonly id?: never });

/** Only appears with script. */
export function CopyButton({ id, text, button, language }: CopyButtonProps) {
  return (
    <button
      type="button"
      class="quiet"
      data-copies={id ?? ''}
      data-text={text}
      data-copied={copied[language]}
      hidden
    >
      {button}
    </button>
  );
}

export interface CopyableProps extends ButtonProps {
  readonly id: string;
  readonly text: string;
}

/** A secret that is shown once. With script, leaving the page warns until the person has said that it is saved. */
export function Secret({ id, text, button, language }: CopyableProps) {
  return (
    <>
      <pre>
        <code id={id}>{text}</code>
      </pre>
      <p class="actions">
        <CopyButton id={id} button={button} language={language} />
        <button type="button" data-saved={saved[language].done} hidden>
          {saved[language].confirm}
        </button>
      </p>
    </>
  );
}

/** A text with a button that copies it. */
export function Copyable({ id, text, button, language }: CopyableProps) {
  return (
    <>
      <pre>
        <code id={id}>{text}</code>
      </pre>
      <p>
        <CopyButton id={id} button={button} language={language} />
      </p>
    </>
  );
}

const copied: Translated<string> = { en: 'Copied', fr: 'Copié', es: 'Copiado' };

const saved = translated({
  en: { confirm: 'I have saved it', done: 'Saved' },
  fr: { confirm: 'Je l’ai enregistré', done: 'Enregistré' },
  es: { confirm: 'Lo he guardado', done: 'Guardado' },
});
