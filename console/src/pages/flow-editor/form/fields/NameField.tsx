import { TextInput } from '@mantine/core'
import { useState } from 'react'
import styles from './fields.module.css'

interface NameFieldProps {
  readonly label: string
  readonly name: string
  readonly isTaken: (name: string) => boolean
  readonly onRename: (name: string) => void
}

/** The name of an entry. It counts on Enter and on leaving; one that cannot be had stays to be mended. */
export function NameField({ label, name, isTaken, onRename }: NameFieldProps) {
  const [typed, setTyped] = useState<string>()
  const wanted = typed?.trim() ?? name
  const problem =
    wanted === '' ? 'A name is needed.' : isTaken(wanted) ? `There is a “${wanted}” already.` : undefined
  const commit = () => {
    if (problem !== undefined) return
    setTyped(undefined)
    if (wanted !== name) onRename(wanted)
  }
  return (
    <TextInput
      aria-label={label}
      data-part="name"
      size="xs"
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: styles['mono'] ?? '' }}
      value={typed ?? name}
      error={typed === undefined ? undefined : problem}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={commit}
      onKeyDown={(press) => {
        if (press.key === 'Enter') commit()
      }}
    />
  )
}
