const dayMs = 86_400_000

const days: Readonly<Record<string, number>> = { '7 days': 7, '30 days': 30, '90 days': 90, '1 year': 365 }

/** How long a key may live, as the form offers it. */
export const lifetimes = [
  { value: '7 days', label: 'In 7 days' },
  { value: '30 days', label: 'In 30 days' },
  { value: '90 days', label: 'In 90 days' },
  { value: '1 year', label: 'In a year' },
  { value: 'date', label: 'Custom date' },
  { value: 'never', label: 'Never' },
] as const

/**
 * The moment a key expires, for the request; null for never. A chosen day counts to its end, in this person's time zone;
 * a day that is missing is sent as it is, for the platform to refuse.
 */
export function expiryOf(lifetime: string, lastDay: string, now: Date): string | null {
  if (lifetime === 'never') return null
  if (lifetime !== 'date') return new Date(now.getTime() + (days[lifetime] ?? 0) * dayMs).toISOString()
  const end = new Date(`${lastDay}T23:59:59`)
  return Number.isNaN(end.getTime()) ? lastDay : end.toISOString()
}
