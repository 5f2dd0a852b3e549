import { TextField } from './form.tsx';
import { translated, type Language } from './language.ts';
import { dayMs } from './time.tsx';

const recentUseMs = 7 * dayMs;

/** Returns whether a thing was used so lately that its end needs its name too. */
export function wasUsedLately(
  { lastUsedAtMs = -Infinity }: { readonly lastUsedAtMs?: number | undefined },
  nowMs: number,
): boolean {
  return nowMs - lastUsedAtMs < recentUseMs;
}

/** Returns whether the form has the name. Browsers show several spaces as one. */
export function isNameTyped(form: URLSearchParams, name: string): boolean {
  return comparable(form.get('name') ?? '') === comparable(name);
}

function comparable(text: string): string {
  return text.normalize().replaceAll(/\s+/g, ' ').trim();
}

interface TypedNameProps {
  readonly language: Language;
  /** What the field is called, such as “Domain”. */
  readonly label: string;
  readonly name: string;
  /** The wrong name that the person has typed. Undefined: none yet. */
  readonly typed: string | undefined;
}

/** A field that asks for the name of a thing in use, before the form ends it. */
export function TypedName({ language, label, name, typed }: TypedNameProps) {
  const { hint, problem } = texts[language];
  return (
    <TextField
      name="name"
      label={label}
      hint={
        <>
          {hint} <strong dir="auto">{name}</strong>
        </>
      }
      problem={typed === undefined ? undefined : problem}
      value={typed?.slice(0, 300)}
      required
      maxLength={300}
      autocomplete="off"
    />
  );
}

const texts = translated({
  en: {
    hint: 'Used in the last 7 days. To confirm, type:',
    problem: 'This is not the name. Nothing was changed.',
  },
  fr: {
    hint: 'Dernière utilisation il y a moins de 7 jours. Pour confirmer, saisissez :',
    problem: 'Ce n’est pas le nom demandé. Rien n’a été modifié.',
  },
  es: {
    hint: 'Último uso hace menos de 7 días. Para confirmar, escriba:',
    problem: 'Este no es el nombre pedido. No se ha cambiado nada.',
  },
});
