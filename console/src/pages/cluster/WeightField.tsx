import { TextInput } from '@mantine/core'
import styles from './WeightField.module.css'

interface WeightFieldProps {
  readonly weight: string
  readonly onChange: (weight: string) => void
  readonly error: string | undefined
}

/** How much of the work a node gets. */
export function WeightField({ weight, onChange, error }: WeightFieldProps) {
  return (
    <TextInput
      type="number"
      label="Weight"
      description="Share of requests relative to other nodes: weight 2 receives twice as many as weight 1. At most 1000."
      min={1}
      max={1000}
      step={1}
      classNames={{ wrapper: styles['short'] ?? '' }}
      value={weight}
      onChange={(change) => onChange(change.currentTarget.value)}
      error={error}
    />
  )
}
