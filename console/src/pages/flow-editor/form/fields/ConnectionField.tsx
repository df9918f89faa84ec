import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi } from '../../../../api/api-context.ts'
import { CompletingInput } from '../../../../parts/CompletingInput.tsx'
import { entryChoicesQuery } from '../../../connections/connection-calls.ts'
import { kindTitles } from '../../../connections/connection-words.ts'
import { textWriting } from '../schema/typed-text.ts'
import type { FieldProps } from './field-props.ts'
import { useField } from './use-field.tsx'
import { useTyped } from './use-typed.ts'

/** A field for the name of a connection. Other names can be typed: the account that runs the flow may have them. */
export function ConnectionField(props: FieldProps) {
  const { value, change, label, description, error } = useField(props)
  const { text, type } = useTyped(value, textWriting(props.field.isRequired), change)
  const { data } = useQuery(entryChoicesQuery(useApi(), 'connection'))
  const completions = (data?.entries ?? []).map(({ name, kind, allowed_hosts: hosts }) => ({
    value: name,
    about: `${kindTitles[kind ?? 'bearer']}, ${hosts.join(', ')}`,
  }))
  return (
    <CompletingInput
      label={label}
      description={
        <>
          {description}{' '}
          <Link to="/connections" search={{ create: true }} target="_blank">
            New connection
          </Link>
        </>
      }
      error={error}
      value={text}
      completions={completions}
      onChange={type}
    />
  )
}
