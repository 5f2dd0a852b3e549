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

export interface SecretProps extends CopyableProps {
  /** What the person says to have saved. The first of two secrets does not ask. Default: one. */
  readonly asks?: 'one' | 'both' | 'nothing';
}

/** A secret that is shown once. With script, leaving the page warns until the person has said that it is saved. */
export function Secret({ id, text, button, language, asks = 'one' }: SecretProps) {
  return (
    <>
      <pre>
        <code id={id}>{text}</code>
      </pre>
      <p class="actions">
        <CopyButton id={id} button={button} language={language} />
        {asks !== 'nothing' && (
          <button type="button" data-saved={saved[language].done} hidden>
            {saved[language][asks]}
          </button>
        )}
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
  en: { one: 'I have saved it', both: 'I have saved both', done: 'Saved' },
  fr: { one: 'Je l’ai enregistré', both: 'J’ai enregistré les deux', done: 'Enregistré' },
  es: { one: 'Lo he guardado', both: 'He guardado ambos', done: 'Guardado' },
});
