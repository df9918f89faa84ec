import { NativeSelect, TextInput } from '@mantine/core'
import type { AgentParameter } from './agent-parameters.ts'

interface ParameterFieldProps {
  readonly parameter: AgentParameter
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}

/** The field of one agent parameter: a select for parameters with choices, else a text input. */
export function ParameterField({ parameter, value, error, onChange }: ParameterFieldProps) {
  const { name, description, required, default: usual } = parameter
  const choices = parameter.choices ?? (typeof usual === 'boolean' ? ['true', 'false'] : undefined)
  const about = {
    label: required ? name : `${name} (optional)`,
    description: description === '' ? undefined : description,
    error,
    value,
  }
  if (choices === undefined) {
    return (
      <TextInput
        {...about}
        autoComplete="off"
        placeholder={usual === undefined ? '' : String(usual)}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  }
  const unless = required ? 'Select' : `Default${usual === undefined ? '' : `: ${usual}`}`
  return (
    <NativeSelect
      {...about}
      data={[{ value: '', label: unless }, ...choices.map((choice) => ({ value: choice, label: choice }))]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
