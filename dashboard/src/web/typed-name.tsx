import { TextField } from './form.tsx';
import { translated, type Language } from './language.ts';
import { dayMs } from './time.tsx';

const recentUseMs = 7 * dayMs;

/** Returns whether a key or domain was used in the last 7 days: then its end requires its name. */
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
  /** The wrong name of a refused form. Null: the form did not ask for it. Undefined: no form was refused. */
  readonly typed: string | null | undefined;
  /** Only another key that the form may include is in use. A form that leaves it out needs no name. */
  readonly isOfOther?: boolean;
}

/** A field that asks for the name of a thing in use, before the form ends it. */
export function TypedName({ language, label, name, typed, isOfOther = false }: TypedNameProps) {
  const { hint, otherHint, usedMeanwhile, mismatch } = texts[language];
  return (
    <TextField
      name="name"
      label={label}
      hint={
        <>
          {isOfOther ? otherHint : hint} <strong dir="auto">{name}</strong>
        </>
      }
      problem={typed === undefined ? undefined : typed === null ? usedMeanwhile : mismatch}
      value={typed?.slice(0, 300)}
      required={!isOfOther}
      maxLength={300}
      autocomplete="off"
    />
  );
}

const texts = translated({
  en: {
    hint: 'Used in the last 7 days. To confirm, type:',
    otherHint: 'The other key was used in the last 7 days. To revoke both, type:',
    usedMeanwhile: 'It was used in the meantime: type its name to confirm.',
    mismatch: 'This does not match. Nothing was changed.',
  },
  fr: {
    hint: 'Dernière utilisation il y a moins de 7 jours. Pour confirmer, saisissez :',
    otherHint: 'L’autre clé a servi il y a moins de 7 jours. Pour révoquer les deux, saisissez :',
    usedMeanwhile: 'Une utilisation a eu lieu entre-temps : saisissez le nom pour confirmer.',
    mismatch: 'Le texte ne correspond pas. Rien n’a été modifié.',
  },
  es: {
    hint: 'Último uso hace menos de 7 días. Para confirmar, escriba:',
    otherHint: 'La otra clave se usó hace menos de 7 días. Para revocar ambas, escriba:',
    usedMeanwhile: 'Se ha usado entretanto: escriba el nombre para confirmar.',
    mismatch: 'El texto no coincide. No se ha cambiado nada.',
  },
});
