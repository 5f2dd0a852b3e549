import type { ComponentChild } from 'preact';
import { type Language, type Translated, translated } from './language.ts';

interface ButtonProps {
  readonly button: string;
  readonly language: Language;
}

interface CopyButtonProps extends ButtonProps {
  /** Of the element whose text it copies. */
  readonly id: string;
  /** Copied instead of the text of the element. */
  readonly text?: string | undefined;
}

/** Only appears with script. */
export function CopyButton({ id, text, button, language }: CopyButtonProps) {
  return (
    <button
      type="button"
      class="quiet"
      data-copies={id}
      data-text={text}
      data-copied={copied[language]}
      hidden
    >
      {button}
    </button>
  );
}

interface CopyIconProps {
  readonly text: string;
  /** The name of what has the id. It tells one button of many from the others. */
  readonly of?: string | undefined;
  readonly language: Language;
}

/** Copies the id that it stands beside. Only appears with script. */
export function CopyIcon({ text, of, language }: CopyIconProps) {
  const label = copyId[language];
  return (
    <button
      type="button"
      class="copy"
      title={label}
      aria-label={of === undefined ? label : `${label}: ${of}`}
      data-copies=""
      data-text={text}
      data-copied={copied[language]}
      hidden
    />
  );
}

interface CopyableProps extends ButtonProps {
  readonly id: string;
  readonly text: string;
}

interface SecretProps extends CopyableProps {
  /** What the person says to have saved, or copied to send. The first of two secrets does not ask. Default: one. */
  readonly asks?: 'one' | 'both' | 'copy' | 'nothing';
  /** Leads on, once the person has said that it is saved. */
  readonly onward?: { readonly href: string; readonly text: string };
  /** Stands before the button “I have saved it”. */
  readonly more?: ComponentChild;
}

/** A secret that is shown once. With script, leaving the page warns until the person has said that it is saved. */
export function Secret({ asks = 'one', onward, more, ...copyable }: SecretProps) {
  const texts = saved[copyable.language];
  return (
    <>
      <Copyable {...copyable} />
      {asks !== 'nothing' && (
        <p class="actions">
          {more}
          <button type="button" data-saved={asks === 'copy' ? copied[copyable.language] : texts.done} hidden>
            {texts[asks]}
          </button>
          {onward && (
            <a class="button" href={onward.href} hidden>
              {onward.text}
            </a>
          )}
        </p>
      )}
    </>
  );
}

/** A text beside a button that copies it. */
export function Copyable({ id, text, button, language }: CopyableProps) {
  return (
    <div class="inline copyable">
      <pre>
        <code id={id}>{text}</code>
      </pre>
      <CopyButton id={id} button={button} language={language} />
    </div>
  );
}

const copyId: Translated<string> = {
  en: 'Copy the id',
  fr: 'Copier l’identifiant',
  es: 'Copiar el identificador',
};

const copied: Translated<string> = { en: 'Copied', fr: 'Copié', es: 'Copiado' };

const saved = translated({
  en: { one: 'I have saved it', both: 'I have saved both', copy: 'I have copied it', done: 'Saved' },
  fr: {
    one: 'Je l’ai enregistré',
    both: 'J’ai enregistré les deux',
    copy: 'Je l’ai copié',
    done: 'Enregistré',
  },
  es: { one: 'Lo he guardado', both: 'He guardado ambos', copy: 'Lo he copiado', done: 'Guardado' },
});
