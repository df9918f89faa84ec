import { Input, NativeSelect, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { type DurationUnit, durationUnits, readDuration, writeDuration } from '../schema/duration-parts.ts'
import type { FieldProps } from './field-props.ts'
import styles from './fields.module.css'
import { useField } from './use-field.tsx'

/** A duration: an amount and its unit. Other text, such as a placeholder, is kept as typed. */
export function DurationField(props: FieldProps) {
  const { value, change, label, description, error } = useField(props)
  const parts = readDuration(value)
  const [chosen, setChosen] = useState<DurationUnit>('s')
  const unit = parts?.unit ?? chosen
  const isOther = parts === undefined && value !== undefined
  const text = parts?.amount ?? (typeof value === 'string' ? value : '')
  const id = useId()
  const put = (typed: string, wanted: DurationUnit) => {
    const isAmount = /^\s*[\d.]*\s*$/.test(typed)
    change(
      isAmount
        ? writeDuration({ amount: typed, unit: wanted })
        : (readDuration(typed) && typed.trim()) || typed,
    )
  }
  return (
    <Input.Wrapper id={id} label={label} description={description} error={error}>
      <div className={styles['amount']}>
        <TextInput
          id={id}
          autoComplete="off"
          aria-describedby={[
            ...(error === undefined ? [] : [`${id}-error`]),
            ...(description === undefined ? [] : [`${id}-description`]),
          ].join(' ')}
          placeholder="Default"
          value={text}
          error={error !== undefined}
          onChange={({ currentTarget }) => put(currentTarget.value, unit)}
        />
        {isOther ? null : (
          <NativeSelect
            aria-label={`Unit of ${label.toLowerCase()}`}
            value={unit}
            data={durationUnits.map((it) => ({ value: it.unit, label: it.word }))}
            onChange={({ currentTarget }) => {
              const wanted = durationUnits.find((it) => it.unit === currentTarget.value)?.unit
              if (wanted === undefined) return
              setChosen(wanted)
              if (parts !== undefined) put(parts.amount, wanted)
            }}
          />
        )}
      </div>
    </Input.Wrapper>
  )
}
