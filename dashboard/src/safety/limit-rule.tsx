import { jobsText } from '../activity/deletion-facts.tsx';
import type { DeletionLimit } from '../deleter/account-safety.ts';
import { ifSoon } from '../deleter/answer-to.ts';
import { FactGrid } from '../web/facts.tsx';
import { RadioField, TextField, readNumber } from '../web/form.tsx';
import { layoutTexts } from '../web/layout-texts.ts';
import type { MemberVisit } from '../web/route.ts';
import { formatDay } from '../web/time.tsx';
import { busiestText, findBusiestDay } from './busiest-day.ts';
import { OpenAllowance } from './open-allowance.tsx';
import { recommendLimit, jobsOfShare, usualPercent } from './recommend-limit.ts';
import { rulePage, type Rule, type Unconfirmed } from './rule-page.tsx';
import { safetyFormTexts } from './safety-form-texts.ts';
import { safetyTexts } from './safety-texts.ts';

/** The kinds of a limit, with the highest number of each. */
const maxima = { jobs: undefined, percent: 100 } as const;
const amounts = ['jobs', 'percent'] as const;
const kinds = [...amounts, 'none'] as const;

export const limitRule: Rule = {
  path: '/safety/limit',
  action: 'limit.changed',
  notice: 'limit-changed',
  read: (form) => {
    const kind = kinds.find((each) => each === form.get('kind'));
    if (kind === undefined) return 'kind';
    if (kind === 'none') return { change: { limit: 'none' }, subject: 'off' };
    // The form may have a number of the other kind too.
    const number = readNumber(form.get(kind), { min: 0, max: maxima[kind] });
    if (number === undefined) return kind;
    const limit: DeletionLimit = kind === 'jobs' ? { kind, jobs: number } : { kind, percent: number };
    return { change: { limit }, subject: limitInTrail(limit) };
  },
  current: ({ limit }) => (limit === undefined ? 'off' : limitInTrail(limit)),
  page: async (services, visit, problem, unconfirmed) => {
    const { limitPage: texts, problems } = safetyFormTexts[visit.language];
    const { limit: names } = safetyTexts[visit.language];
    const { uncounted } = layoutTexts[visit.language];
    const [{ limit, allowances, usage }, count, busiest] = await Promise.all([
      services.deleter.getSafety(visit.accountId),
      ifSoon(services.deleter.countJobs(visit.accountId)),
      ifSoon(findBusiestDay(services.dayCounter, visit)),
    ]);
    const { format } = new Intl.NumberFormat(visit.language);
    const share = new Intl.NumberFormat(visit.language, {
      maximumSignificantDigits: 2,
      roundingMode: 'floor',
    });
    const chosen = limit ?? recommendLimit(busiest, count);
    const typed = (name: (typeof amounts)[number]) =>
      visit.form.get(name)?.slice(0, 30) ??
      (chosen?.kind === name ? amountOf(chosen) : name === 'percent' ? String(usualPercent) : '');
    const resultOf = (name: (typeof amounts)[number]) => {
      // The script of the page asks for the result of what is typed.
      const amount = readNumber(visit.query.get(name) ?? typed(name), { min: 0, max: maxima[name] });
      if (!count || amount === undefined) return undefined;
      return name === 'percent'
        ? texts.shareNow(format(amount), format(jobsOfShare(count, amount)), format(count))
        : texts.jobsOf(format(amount), share.format((100 * amount) / count), format(count));
    };
    const hints = {
      jobs: count ? `${texts.protectsNothing(format(count))} ${texts.zero}` : texts.zero,
      percent: texts.zero,
    };
    const amountField = (name: (typeof amounts)[number]) => (
      <>
        <TextField
          name={name}
          label={texts.amounts[name]}
          hint={hints[name]}
          problem={problem === name ? problems.amounts[name] : undefined}
          value={typed(name)}
          inputMode="numeric"
          autocomplete="off"
          maxLength={12}
          preview={`${name}-result`}
        />
        <p id={`${name}-result`} class="result" aria-live="polite">
          {resultOf(name)}
        </p>
      </>
    );
    const fields = (
      <RadioField
        name="kind"
        label={texts.kind}
        problem={problem === 'kind' ? problems.kind : undefined}
        options={kinds.map((value) => ({
          value,
          text: texts.kinds[value],
          field: value !== 'none' && amountField(value),
        }))}
        value={visit.form.get('kind') ?? chosen?.kind ?? ''}
      />
    );
    return rulePage(services, visit, {
      path: limitRule.path,
      title: limit === undefined ? names.setFirst : names.change,
      warnings: [
        unconfirmed && warningOf(visit, unconfirmed),
        // The first limit only adds protection.
        limit && texts.warning,
        ...allowances.map((allowance) => (
          <>
            {names.additionalToNew}: <OpenAllowance {...{ visit, allowance }} />
          </>
        )),
      ].filter(Boolean),
      unconfirmed,
      problem,
      fields,
      aside: {
        title: texts.account,
        content: (
          <FactGrid
            facts={[
              [texts.jobsNow, count === undefined ? uncounted : format(count)],
              [texts.deleted, limit && usage && format(usage.used)],
              [names.busiest, busiestText(busiest, visit), true],
            ]}
          />
        ),
      },
    });
  },
};

function warningOf({ language }: MemberVisit, unconfirmed: Unconfirmed): string {
  const { limitPage: texts } = safetyFormTexts[language];
  const { format } = new Intl.NumberFormat(language);
  if (unconfirmed.kind === 'ends') return texts.noneWarning;
  if (unconfirmed.kind === 'allows-all')
    return safetyTexts[language].limit.allowsAll(format(unconfirmed.count));
  const { busiest, most } = unconfirmed;
  return texts.belowUse(
    formatDay(busiest.dayMs, language),
    jobsText(busiest.jobsAccepted, language),
    jobsText(most, language),
    format(busiest.jobsAccepted - most),
  );
}

function limitInTrail(limit: DeletionLimit): string {
  return limit.kind === 'jobs' ? amountOf(limit) : `${amountOf(limit)}%`;
}

function amountOf(limit: DeletionLimit): string {
  return String(limit.kind === 'jobs' ? limit.jobs : limit.percent);
}
