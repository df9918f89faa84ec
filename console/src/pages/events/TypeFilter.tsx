import { Autocomplete } from '@mantine/core'
import IconFilter from '@tabler/icons-react/dist/esm/icons/IconFilter.mjs'
import { useState } from 'react'
import styles from './EventsPage.module.css'

interface TypeFilterProps {
  readonly type: string | undefined
  /** Types seen so far, offered while typing. */
  readonly known: readonly string[]
  readonly onChange: (type: string | undefined) => void
}

/** Narrows the list to one type of event. Any type can be typed; it counts on Enter, on a choice and on leaving. */
export function TypeFilter({ type, known, onChange }: TypeFilterProps) {
  const [draft, setDraft] = useState<string>()
  const commit = (text: string) => {
    setDraft(undefined)
    const wanted = text.trim()
    if (wanted !== (type ?? '')) onChange(wanted === '' ? undefined : wanted)
  }
  return (
    <Autocomplete
      data-filter
      aria-label="Type of event"
      placeholder="All types"
      size="sm"
      className={styles['filter'] ?? ''}
      leftSection={<IconFilter size={16} stroke={1.75} aria-hidden />}
      data={[...new Set(known)].toSorted()}
      value={draft ?? type ?? ''}
      onChange={setDraft}
      onOptionSubmit={commit}
      onBlur={() => {
        if (draft !== undefined) commit(draft)
      }}
      onKeyDown={(press) => {
        if (press.key === 'Enter' && draft !== undefined) commit(draft)
      }}
      clearable
      clearButtonProps={{ 'aria-label': 'Show all types', 'aria-hidden': false, tabIndex: 0 }}
      comboboxProps={{ withinPortal: false }}
      // The list itself scrolls: it is what the field says it controls.
      withScrollArea={false}
      classNames={{ options: styles['options'] ?? '' }}
      onClear={() => commit('')}
    />
  )
}
