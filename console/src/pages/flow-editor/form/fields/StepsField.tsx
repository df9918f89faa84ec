import { ActionIcon, Select } from '@mantine/core'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useRef, useState } from 'react'
import type { Json } from '../../document/json.ts'
import { useEditing } from '../../use-flow-editor.ts'
import { useForm } from '../form-subject.ts'
import { pathText } from '../schema/path-text.ts'
import type { FieldProps } from './field-props.ts'
import styles from './fields.module.css'
import { describeStep } from './StepField.tsx'
import { useField } from './use-field.tsx'
import { useFocusRequest } from './use-focus-request.ts'

/** Any number of the other steps. */
export function StepsField(props: FieldProps) {
  const { step } = useForm()
  const { announce } = useEditing()
  const { value, change, label, description, error } = useField(props)
  const [search, setSearch] = useState('')
  const root = useRef<HTMLDivElement>(null)
  const requestFocus = useFocusRequest(root)
  const chosen = Array.isArray(value) ? (value as readonly Json[]).map(String) : []
  const others = step?.others ?? []
  const nameFor = (id: string) => {
    const other = others.find((it) => it.id === id)
    return other === undefined ? `${id} (no such step)` : describeStep(other)
  }
  return (
    <div ref={root} className={styles['chosen']}>
      <Select
        label={label}
        description={description}
        error={error}
        searchable
        placeholder="Add a step"
        value={null}
        searchValue={search}
        onSearchChange={setSearch}
        data={others
          .filter(({ id }) => !chosen.includes(id))
          .map((other) => ({ value: other.id, label: describeStep(other) }))}
        onChange={(id) => {
          setSearch('')
          if (id === null) return
          change([...chosen, id])
          announce(`${nameFor(id)} added to ${label.toLowerCase()}.`)
        }}
        nothingFoundMessage="No steps match."
        comboboxProps={{ withinPortal: false, shadow: 'none' }}
        withScrollArea={false}
        classNames={{ options: styles['options'] ?? '' }}
      />
      {chosen.length === 0 ? null : (
        <ul aria-label={label}>
          {chosen.map((id, index) => (
            <ChosenRow
              // A draft may name a step twice.
              key={`${id} ${pathText([index])}`}
              name={nameFor(id)}
              onRemove={() => {
                requestFocus('input')
                const left = chosen.toSpliced(index, 1)
                change(left.length === 0 ? undefined : left)
              }}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

/** Something that was chosen, and can be taken away again. */
function ChosenRow({ name, onRemove }: { name: string; onRemove: () => void }) {
  return (
    <li>
      <span>{name}</span>
      <ActionIcon size={24} aria-label={`Remove ${name}`} title={`Remove ${name}`} onClick={onRemove}>
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </li>
  )
}
