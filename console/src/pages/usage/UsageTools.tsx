import '../../theme/mantine-form.css'
import { Button, SegmentedControl } from '@mantine/core'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { profileQuery } from '../../api/queries.ts'
import { useAccountName } from './AccountName.tsx'
import { type RangeName, ranges } from './ranges.ts'
import styles from './UsageTools.module.css'

interface UsageToolsProps {
  readonly range: RangeName
  readonly onRange: (range: string) => void
  /** One's own when undefined, everybody's with `all`. */
  readonly account: string | undefined
  readonly onAccount: (account: string | undefined) => void
}

/** Which days, and whose. */
export function UsageTools({ range, onRange, account, onAccount }: UsageToolsProps) {
  return (
    <div className={styles['tools']}>
      <SegmentedControl
        size="xs"
        aria-label="How far back"
        value={range}
        onChange={onRange}
        data={ranges.map(({ name, title }) => ({ value: name, label: title }))}
      />
      <WhoseUsage account={account} onChange={onAccount} />
    </div>
  )
}

interface WhoseUsageProps {
  readonly account: string | undefined
  readonly onChange: (account: string | undefined) => void
}

/** One's own, or everybody's, for those who look after the models; or one other account's. */
function WhoseUsage({ account, onChange }: WhoseUsageProps) {
  const { data: profile } = useQuery(profileQuery(useApi()))
  if (profile?.permissions.includes('administer llm') !== true) return null
  if (account !== undefined && account !== 'all') {
    return <OnlyAccount id={account} onClear={() => onChange('all')} />
  }
  return (
    <SegmentedControl
      size="xs"
      aria-label="Whose usage"
      value={account ?? 'me'}
      onChange={(value) => onChange(value === 'all' ? 'all' : undefined)}
      data={[
        { value: 'me', label: 'My usage' },
        { value: 'all', label: 'Everyone’s usage' },
      ]}
    />
  )
}

function OnlyAccount({ id, onClear }: { id: string; onClear: () => void }) {
  const name = useAccountName(id)
  return (
    <Button
      size="compact-sm"
      variant="default"
      rightSection={<IconX size={14} aria-hidden />}
      aria-label={`Only ${name}. Show everyone’s usage`}
      onClick={onClear}
    >
      Only {name}
    </Button>
  )
}
