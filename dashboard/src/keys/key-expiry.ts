/** The choices of the form, in days. */
export const expiries = ['30', '90', '180', '365', 'never'] as const;

export type Expiry = (typeof expiries)[number];

export function lifetimeOf(expiry: Expiry): number | undefined {
  return expiry === 'never' ? undefined : Number(expiry) * 86_400_000;
}
