import '../../theme/mantine-form.css'
import { Button, NativeSelect } from '@mantine/core'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import type { AuditFilter } from '../../api/audit-query.ts'
import { userQuery } from '../../api/people-queries.ts'
import { type AuditSearch, readAuditSearch } from './audit-search.ts'
import { auditTypes } from './audit-types.ts'

interface AuditFiltersProps extends AuditFilter {
  readonly onChange: (filter: AuditSearch) => void
}

const choices = [
  { value: '', label: 'Everything' },
  ...Object.entries(auditTypes).map(([value, { title }]) => ({ value, label: title })),
]

/** Narrows the log to one kind of entry, and to one account when somebody came from there. */
export function AuditFilters({ type, account, onChange }: AuditFiltersProps) {
  return (
    <>
      <NativeSelect
        data-filter
        size="sm"
        aria-label="Kind of entry"
        data={choices}
        value={type ?? ''}
        onChange={(change) => onChange(readAuditSearch({ type: change.currentTarget.value, account }))}
      />
      {account === undefined ? null : (
        <AccountFilter account={account} onClear={() => onChange(type === undefined ? {} : { type })} />
      )}
    </>
  )
}

function AccountFilter({ account, onClear }: { account: string; onClear: () => void }) {
  // An account that is gone has no name left to tell; its id still finds its entries.
  const { data: user } = useQuery(userQuery(useApi(), account))
  return (
    <Button
      size="sm"
      variant="default"
      justify="space-between"
      rightSection={<IconX size={14} aria-hidden />}
      aria-label={`Only about ${user?.username ?? account}. Show all accounts`}
      onClick={onClear}
    >
      Only about {user?.username ?? `${account.slice(0, 8)}…`}
    </Button>
  )
}
