import { NativeSelect, TextInput } from '@mantine/core'
import { describeMinute } from '../../time/describe-time.ts'

interface KeyExpiryProps {
  readonly lifetime: string
  readonly lastDay: string
  readonly openedAt: Date
  /** The expiry of an existing key, which the form keeps by default. */
  readonly unchanged?: string
  readonly onLifetime: (lifetime: string) => void
  readonly onLastDay: (lastDay: string) => void
  readonly error: string | undefined
}

/** The choice of a key's lifetime, and of its last day for a custom date. */
export function KeyExpiry(props: KeyExpiryProps) {
  const { lifetime, lastDay, openedAt, unchanged, onLifetime, onLastDay, error } = props
  return (
    <>
      <NativeSelect
        label="Expires"
        description={describe(lifetime, lastDay, openedAt)}
        data={[
          ...(unchanged === undefined ? [] : [{ value: 'unchanged', label: `Unchanged: ${unchanged}` }]),
          ...lifetimes,
        ]}
        value={lifetime}
        onChange={(change) => onLifetime(change.currentTarget.value)}
        error={lifetime === 'date' ? undefined : error}
      />
      {lifetime === 'date' ? (
        <TextInput
          type="date"
          label="Last day"
          value={lastDay}
          onChange={(change) => onLastDay(change.currentTarget.value)}
          error={error}
        />
      ) : null}
    </>
  )
}

function describe(lifetime: string, lastDay: string, openedAt: Date): string | undefined {
  if (lifetime === 'unchanged') return undefined
  if (lifetime === 'date' && lastDay === '') return 'Choose the last valid day.'
  const expiresAt = expiryOf(lifetime, lastDay, openedAt)
  return expiresAt === null
    ? 'Valid until it is revoked.'
    : `Valid until ${describeMinute(new Date(expiresAt))}.`
}

const dayMs = 86_400_000

const days: Readonly<Record<string, number>> = { '7 days': 7, '30 days': 30, '90 days': 90, '1 year': 365 }

/** The lifetimes of a key that the form offers. */
const lifetimes = [
  { value: '7 days', label: 'In 7 days' },
  { value: '30 days', label: 'In 30 days' },
  { value: '90 days', label: 'In 90 days' },
  { value: '1 year', label: 'In a year' },
  { value: 'date', label: 'Custom date' },
  { value: 'never', label: 'Never' },
]

/**
 * The expiry time of a key for the request; null for never. A chosen day counts to its end in the user's time zone.
 * A missing day is sent as it is, so that the server refuses it.
 */
export function expiryOf(lifetime: string, lastDay: string, now: Date): string | null {
  if (lifetime === 'never') return null
  if (lifetime !== 'date') return new Date(now.getTime() + (days[lifetime] ?? 0) * dayMs).toISOString()
  const end = new Date(`${lastDay}T23:59:59`)
  return Number.isNaN(end.getTime()) ? lastDay : end.toISOString()
}
