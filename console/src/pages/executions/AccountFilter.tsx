import '../../theme/mantine-floating.css'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { usersQuery } from '../../api/people-queries.ts'
import { profileQuery } from '../../api/queries.ts'
import { useMay } from '../../api/use-may.ts'
import { useAccountName } from '../usage/AccountName.tsx'
import type { ExecutionEntry } from './execution-queries.ts'

const pauseMs = 250

interface AccountFilterProps {
  readonly account: string | undefined
  readonly onChange: (account: string | undefined) => void
  /** The loaded executions: their accounts are offered to managers who may not list all accounts. */
  readonly executions: readonly ExecutionEntry[]
}

/** Chooses one of all accounts, found by a part of their name. */
export default function AccountFilter({ account, onChange, executions }: AccountFilterProps) {
  const api = useApi()
  const mayList = useMay('administer users')
  const { data: profile } = useQuery(profileQuery(api))
  const [text, setText] = useState('')
  const chosenName = useAccountName(account ?? '')
  // The text of the chosen account is no search: opening the list offers the others.
  const typed = text === chosenName ? '' : text.trim()
  const [search] = useDebouncedValue(typed, pauseMs)
  const { data: users } = useQuery({
    ...usersQuery(api, { search: search === '' ? undefined : search, page: 1 }),
    enabled: mayList,
  })
  const known = executions.map(({ account_id: id, account_name: name }) => ({ id, username: name ?? id }))
  const own = profile === undefined ? [] : [profile]
  const found =
    mayList && search !== '' ? (users?.data ?? []) : [...own, ...(mayList ? (users?.data ?? []) : known)]
  const offered = new Map(
    found
      .filter(({ username }) => mayList || username.toLowerCase().includes(typed.toLowerCase()))
      .map(({ id, username }) => [id, username]),
  )
  if (account !== undefined && !offered.has(account)) offered.set(account, chosenName)
  return (
    <Select
      size="sm"
      label="Account"
      placeholder="All accounts"
      searchable
      clearable
      data={[...offered].map(([value, label]) => ({ value, label }))}
      // The server searches names and addresses; the list shows what it found.
      filter={({ options }) => options}
      searchValue={text}
      onSearchChange={setText}
      value={account ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      nothingFoundMessage="No accounts match."
      maxDropdownHeight={280}
      comboboxProps={{ withinPortal: false, shadow: 'none' }}
      // Mantine hides the button from the keyboard by default.
      clearButtonProps={{ 'aria-label': 'All accounts', 'aria-hidden': false, tabIndex: 0 }}
    />
  )
}
