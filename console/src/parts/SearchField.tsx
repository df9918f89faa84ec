import '../theme/mantine-form.css'
import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useState } from 'react'

const pauseMs = 250

interface SearchFieldProps {
  readonly label: string
  /** The label unless given. */
  readonly placeholder?: string
  readonly size?: 'xs' | 'sm'
  readonly text: string | undefined
  readonly onChange: (text: string | undefined) => void
  readonly className?: string | undefined
}

/** Filters a list by a text once typing pauses. */
export function SearchField(props: SearchFieldProps) {
  const { label, placeholder = label, size = 'sm', text, onChange, className } = props
  // The field keeps the text as it was typed: the address gets it later, and without spaces at its ends.
  const [draft, setDraft] = useState<string>()
  const [sent, setSent] = useState(text)
  const [seen, setSeen] = useState(text)
  if (text !== seen) {
    setSeen(text)
    // Another part of the page or the back button changed the text, unless an own change is still on its way.
    if (seen === sent) {
      setSent(text)
      setDraft(undefined)
    }
  }
  const commit = useDebouncedCallback((typed: string) => {
    const wanted = typed.trim() === '' ? undefined : typed.trim()
    setSent(wanted)
    onChange(wanted)
  }, pauseMs)
  return (
    <TextInput
      data-filter
      type="search"
      size={size}
      aria-label={label}
      placeholder={placeholder}
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
