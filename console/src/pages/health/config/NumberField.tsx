import { TextInput } from '@mantine/core'

interface NumberFieldProps {
  readonly label: string
  readonly unit: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly error: string | undefined
  /** It has the focus when the form opens. */
  readonly isFirst?: boolean
}

/** A whole number with its unit. */
export function NumberField({ label, unit, value, onChange, error, isFirst }: NumberFieldProps) {
  return (
    <TextInput
      {...(isFirst === true ? { 'data-autofocus': true } : {})}
      label={label}
      inputMode="numeric"
      autoComplete="off"
      rightSection={unit}
      rightSectionWidth={64}
      value={value}
      onChange={(change) => onChange(change.currentTarget.value)}
      error={error}
    />
  )
}
