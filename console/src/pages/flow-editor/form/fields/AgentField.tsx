import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../../api/api-context.ts'
import { agentsQuery } from '../../../agents/agent-queries.ts'
import { textWriting } from '../schema/typed-text.ts'
import { CompletingInput } from './CompletingInput.tsx'
import type { FieldProps } from './field-props.ts'
import { useField } from './use-field.tsx'
import { useTyped } from './use-typed.ts'

/** An agent of the catalogue. */
export function AgentField(props: FieldProps) {
  const { value, change, label, description, error } = useField(props)
  const { text, type } = useTyped(value, textWriting(props.field.isRequired), change)
  const { data } = useQuery(agentsQuery(useApi(), {}))
  return (
    <CompletingInput
      label={label}
      description={description}
      error={error}
      value={text}
      completions={(data?.agents ?? []).map(({ id, label: name }) => ({ value: id, about: name }))}
      onChange={type}
    />
  )
}
