import {
  explainMismatch,
  originMatches,
  parseAllowedDomains,
  parseNewDomain,
  type OriginMismatch,
} from '@jobs-delete/accounts/origins/allowed-domain';
import { mendOfOrigin } from '../activity/refused-list.tsx';
import { accountPath } from '../web/account-path.ts';
import { Form, TextField } from '../web/form.tsx';
import { includesRole, type MemberVisit } from '../web/route.ts';
import { domainText } from './domain-name.tsx';
import { domainTexts } from './domain-texts.ts';

interface OriginTrialProps {
  readonly visit: MemberVisit;
  /** What somebody has typed. Undefined: the form was not sent yet. */
  readonly origin: string | undefined;
  readonly domains: readonly string[];
}

/** A form that checks an Origin header, and its result. It changes nothing, so it works for every member. */
export function OriginTrial({ visit, origin, domains }: OriginTrialProps) {
  const texts = domainTexts[visit.language];
  return (
    <Form method="get" action={accountPath(visit, '/domains#trial')} id="trial">
      <h2>{texts.trialHeading}</h2>
      {origin && <TrialResult visit={visit} origin={origin} domains={domains} />}
      <TextField
        name="origin"
        label={texts.trialLabel}
        hint={texts.trialHint}
        problem={origin === '' ? texts.trialEmpty : undefined}
        value={origin}
        required
        maxLength={300}
        autocomplete="off"
      />
      <button class="quiet">{texts.trialSubmit}</button>
    </Form>
  );
}

function TrialResult({ visit, origin, domains }: OriginTrialProps & { readonly origin: string }) {
  const texts = domainTexts[visit.language];
  const trial = tryOrigin(origin, domains);
  const mend =
    trial.kind === 'refused' &&
    includesRole(visit.role, 'manager') &&
    canBeAllowed(origin) &&
    mendOfOrigin(visit.language, origin);
  return (
    <div class={trial.kind === 'passes' ? 'notice' : 'warning'} role="status">
      <p>
        <strong>{trial.kind === 'passes' ? texts.passes : texts.refused}</strong> <code>{origin}</code>
      </p>
      <p>
        {trial.kind === 'passes' ? texts.matches(domainText(trial.domain)) : texts.mismatch(trial.mismatch)}
      </p>
      {mend && (
        <p class="actions">
          <a class="button quiet" href={accountPath(visit, mend.path)}>
            {mend.text}
          </a>
        </p>
      )}
    </div>
  );
}

/** Returns whether the account can allow this origin. A bare host never passes. */
function canBeAllowed(origin: string): boolean {
  const domain = parseNewDomain(origin);
  return domain !== undefined && originMatches(origin, [domain]);
}

type TrialOutcome =
  | { readonly kind: 'passes'; readonly domain: string }
  | { readonly kind: 'refused'; readonly mismatch: OriginMismatch };

/** Returns what the gateway decides about an Origin header with this text, and why. */
function tryOrigin(text: string, allowed: readonly string[]): TrialOutcome {
  const domains = parseAllowedDomains(allowed);
  // Node hands out the bytes of a header as Latin-1.
  const header = Buffer.from(text).toString('latin1');
  const match = domains.find((domain) => originMatches(header, [domain]));
  return match === undefined
    ? { kind: 'refused', mismatch: explainMismatch(text, domains) }
    : { kind: 'passes', domain: match.text };
}
