import '../theme/mantine-floating.css'
import { Autocomplete } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './CompletingInput.module.css'

export interface Completion {
  readonly value: string
  /** The description of the completion. */
  readonly about: string
}

interface CompletingInputProps {
  readonly label?: string
  readonly name?: string
  readonly description?: ReactNode
  readonly error?: string | undefined
  readonly placeholder?: string
  readonly value: string
  readonly completions: readonly Completion[]
  readonly onChange: (text: string) => void
}

/** A free text line with completions. */
export function CompletingInput({ name, completions, ...props }: CompletingInputProps) {
  const abouts = new Map(completions.map(({ value, about }) => [value, about]))
  return (
    <Autocomplete
      {...props}
      {...(name === undefined ? {} : { 'aria-label': name })}
      data={[...abouts.keys()]}
      limit={50}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      renderOption={({ option }) => (
        <span className={styles['option']}>
          <span>{option.value}</span>
          <span className={styles['about']}>{abouts.get(option.value)}</span>
        </span>
      )}
      comboboxProps={{ withinPortal: false, shadow: 'none' }}
      withScrollArea={false}
      classNames={{ input: styles['input'] ?? '', options: styles['options'] ?? '' }}
    />
  )
}
