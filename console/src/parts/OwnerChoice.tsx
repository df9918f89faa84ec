import '../theme/mantine-form.css'
import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Owner } from '../api/access-queries.ts'
import { useApi } from '../api/api-context.ts'
import { profileQuery } from '../api/queries.ts'
import styles from './OwnerChoice.module.css'

interface OwnerChoiceProps {
  /** The name of the listed items, in the plural. */
  readonly what: string
  readonly owner: Owner
  readonly onChange: (owner: Owner) => void
}

/** Switches a list between the user's own items and those of all accounts, for administrators. */
export function OwnerChoice({ what, owner, onChange }: OwnerChoiceProps) {
  const { data: profile } = useQuery(profileQuery(useApi()))
  if (profile?.permissions.includes('administer users') !== true) return null
  return (
    <SegmentedControl
      className={styles['choice'] ?? ''}
      size="xs"
      aria-label={`Whose ${what}`}
      value={owner}
      onChange={(value) => onChange(value === 'all' ? 'all' : 'me')}
      data={[
        { value: 'me', label: `My ${what}` },
        { value: 'all', label: `Everyone’s ${what}` },
      ]}
    />
  )
}
