import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../../api/api-context.ts'
import { rolesQuery, usersQuery } from '../../../../api/people-queries.ts'
import { profileQuery } from '../../../../api/queries.ts'
import { CompletingInput } from '../../../../parts/CompletingInput.tsx'
import { flowsQuery } from '../../../workflows/flow-queries.ts'
import { textWriting } from '../schema/typed-text.ts'
import type { FieldProps } from './field-props.ts'
import { CompletingList } from './ListFields.tsx'
import { useField } from './use-field.tsx'
import { useTyped } from './use-typed.ts'

/** A field for a workflow by its ID. */
export function FlowField(props: FieldProps) {
  const { value, change, label, description, error } = useField(props)
  const { text, type } = useTyped(value, textWriting(props.field.isRequired), change)
  const { data } = useQuery(flowsQuery(useApi(), {}))
  return (
    <CompletingInput
      label={label}
      description={description}
      error={error}
      value={text}
      completions={(data ?? []).map(({ id, label: name }) => ({ value: id, about: name }))}
      onChange={type}
    />
  )
}

/** A list of accounts, completed for authors who may see them. */
export function AccountsField(props: FieldProps) {
  const isAllowed = useMayAdministerUsers()
  const query = usersQuery(useApi(), { search: undefined, page: 1 })
  const { data } = useQuery({ ...query, enabled: isAllowed })
  const completions = (data?.data ?? []).map(({ username, email }) => ({
    value: username,
    about: email ?? '',
  }))
  return <CompletingList {...props} completions={completions} />
}

/** A list of roles, completed for authors who may see them. */
export function RolesField(props: FieldProps) {
  const isAllowed = useMayAdministerUsers()
  const { data } = useQuery({ ...rolesQuery(useApi()), enabled: isAllowed })
  const completions = (data ?? []).map(({ name }) => ({ value: name, about: '' }))
  return <CompletingList {...props} completions={completions} />
}

function useMayAdministerUsers(): boolean {
  const { data } = useQuery(profileQuery(useApi()))
  return data?.permissions.includes('administer users') === true
}
