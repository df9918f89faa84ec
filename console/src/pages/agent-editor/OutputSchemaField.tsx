import { Button, Checkbox, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { pathText } from '../flow-editor/form/schema/path-text.ts'
import styles from './AgentEditor.module.css'
import { JsonTextField, NameField, useAgentField } from './AgentFields.tsx'
import { fieldsOfSchema, fieldTypes, freeKey, type OutputField, schemaOfFields } from './agent-draft.ts'

const typeWords: Readonly<Record<OutputField['type'], string>> = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'True or false',
  list: 'List of texts',
}

/** The schema of a JSON output: a list of fields, or the JSON Schema itself. */
export function OutputSchemaField() {
  const { value, error, change } = useAgentField(['output_schema'])
  const fields = fieldsOfSchema(value ?? schemaOfFields([]))
  const [wantsJson, setWantsJson] = useState(false)
  const showsJson = wantsJson || fields === undefined
  return (
    <>
      <div className={styles['head']}>
        <span className={styles['label']}>Output fields</span>
        <SegmentedControl
          size="xs"
          aria-label="Edit the schema as"
          data={[
            { value: 'fields', label: 'Fields', disabled: fields === undefined },
            { value: 'json', label: 'JSON Schema' },
          ]}
          value={showsJson ? 'json' : 'fields'}
          onChange={(wanted) => setWantsJson(wanted === 'json')}
        />
      </div>
      {showsJson ? (
        <JsonTextField
          path={['output_schema']}
          label="JSON Schema"
          description={
            fields === undefined ? 'This schema has more than a list of fields can show.' : undefined
          }
        />
      ) : (
        <FieldList fields={fields} error={error} onChange={(wanted) => change(schemaOfFields(wanted))} />
      )}
    </>
  )
}

interface FieldListProps {
  readonly fields: readonly OutputField[]
  readonly error: string | undefined
  readonly onChange: (fields: readonly OutputField[]) => void
}

function FieldList({ fields, error, onChange }: FieldListProps) {
  const names = Object.fromEntries(fields.map(({ name }) => [name, true]))
  const replace = (index: number, change: Partial<OutputField>) =>
    onChange(fields.map((field, at) => (at === index ? { ...field, ...change } : field)))
  return (
    <>
      {fields.length === 0 ? null : (
        <ul className={styles['entries']} aria-label="Output fields">
          {fields.map((field, index) => (
            // A renamed field stays the same row, so it keeps the focus.
            <li key={pathText([index])} className={styles['entry']}>
              <div className={styles['row']}>
                <NameField
                  label="Field"
                  name={field.name}
                  error={undefined}
                  isTaken={(name) => Object.hasOwn(names, name)}
                  onRename={(name) => replace(index, { name })}
                />
                <NativeSelect
                  label="Type"
                  data={fieldTypes.map((type) => ({ value: type, label: typeWords[type] }))}
                  value={field.type}
                  onChange={({ currentTarget }) =>
                    replace(index, {
                      type: fieldTypes.find((type) => type === currentTarget.value) ?? 'string',
                    })
                  }
                />
              </div>
              <TextInput
                label="Description"
                description="Tells the model what belongs here."
                autoComplete="off"
                value={field.description}
                onChange={({ currentTarget }) => replace(index, { description: currentTarget.value })}
              />
              <div className={styles['foot']}>
                <Checkbox
                  size="xs"
                  label="Required"
                  checked={field.required}
                  onChange={({ currentTarget }) => replace(index, { required: currentTarget.checked })}
                />
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`Remove the field ${field.name}`}
                  onClick={() => onChange(fields.toSpliced(index, 1))}
                >
                  Remove
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {error === undefined ? null : <p className={styles['problem']}>{error}</p>}
      <Button
        size="compact-sm"
        variant="default"
        className={styles['add'] ?? ''}
        onClick={() =>
          onChange([
            ...fields,
            { name: freeKey(names, 'field'), type: 'string', description: '', required: true },
          ])
        }
      >
        Add field
      </Button>
    </>
  )
}
