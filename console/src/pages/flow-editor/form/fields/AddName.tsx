import { Button, TextInput } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useState } from 'react'
import styles from './fields.module.css'

interface AddNameProps {
  /** What is added, such as header. */
  readonly entry: string
  readonly isTaken: (name: string) => boolean
  readonly onAdd: (name: string) => void
}

/** Adds an entry by the name it shall have. */
export function AddName({ entry, isTaken, onAdd }: AddNameProps) {
  const [typed, setTyped] = useState('')
  const name = typed.trim()
  const isFree = !isTaken(name)
  const add = () => {
    if (name === '' || !isFree) return
    setTyped('')
    onAdd(name)
  }
  return (
    <div className={styles['add']}>
      <TextInput
        aria-label={`Name of a new ${entry}`}
        placeholder={`Name of a new ${entry}`}
        data-part="add"
        size="xs"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        error={isFree ? undefined : `There is a “${name}” already.`}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={(press) => {
          if (press.key === 'Enter') add()
        }}
      />
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        aria-disabled={name === '' || !isFree}
        onClick={add}
      >
        Add {entry}
      </Button>
    </div>
  )
}
