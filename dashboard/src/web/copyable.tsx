import type { Language, Translated } from './language.ts';

export interface CopyableProps {
  readonly id: string;
  readonly text: string;
  /** The text of the button, which only appears with script. */
  readonly button: string;
  readonly language: Language;
}

/** A text with a button that copies it. */
export function Copyable({ id, text, button, language }: CopyableProps) {
  return (
    <>
      <pre>
        <code id={id}>{text}</code>
      </pre>
      <p>
        <button type="button" class="quiet" data-copies={id} data-copied={copied[language]} hidden>
          {button}
        </button>
      </p>
    </>
  );
}

const copied: Translated<string> = { en: 'Copied', fr: 'Copié', es: 'Copiado' };
