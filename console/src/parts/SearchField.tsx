import '../theme/mantine-form.css'
import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useState } from 'react'

const pauseMs = 250

interface SearchFieldProps {
  readonly label: string
  readonly text: string | undefined
  readonly onChange: (text: string | undefined) => void
  readonly className?: string | undefined
}

/** Filters a list by a text once typing pauses. */
export function SearchField({ label, text, onChange, className }: SearchFieldProps) {
  const [draft, setDraft] = useState<string>()
  const commit = useDebouncedCallback((typed: string) => {
    setDraft(undefined)
    onChange(typed.trim() === '' ? undefined : typed.trim())
  }, pauseMs)
  return (
    <TextInput
      data-filter
      type="search"
      size="sm"
      aria-label={label}
      placeholder={label}
      className={className ?? ''}
      leftSection={<IconSearch size={16} stroke={1.75} aria-hidden />}
      value={draft ?? text ?? ''}
      onChange={(change) => {
        setDraft(change.currentTarget.value)
        commit(change.currentTarget.value)
      }}
    />
  )
}
