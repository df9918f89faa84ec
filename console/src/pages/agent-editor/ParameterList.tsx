import { Button, Checkbox, TextInput } from '@mantine/core'
import { isObject, type JsonObject } from '../flow-editor/document/json.ts'
import { useTyped } from '../flow-editor/form/fields/use-typed.ts'
import { pathText } from '../flow-editor/form/schema/path-text.ts'
import { scalarWriting } from '../flow-editor/form/schema/typed-text.ts'
import styles from './AgentEditor.module.css'
import { NameField, TextField, useAgentField, WordsField } from './AgentFields.tsx'
import { freeKey, renameKey } from './agent-draft.ts'

/** The parameters of the agent, which a step sets by name. */
export function ParameterList() {
  const { value, error, change } = useAgentField(['parameters'])
  const parameters = isObject(value) ? value : {}
  const names = Object.keys(parameters)
  const save = (wanted: JsonObject) => change(Object.keys(wanted).length === 0 ? undefined : wanted)
  return (
    <>
      {names.length === 0 ? (
        <p className={styles['words']}>
          A parameter is a value that each step can set, such as a tone. The prompt uses it as{' '}
          <code>{'{{tone}}'}</code>.
        </p>
      ) : (
        <ul className={styles['entries']} aria-label="Parameters">
          {names.map((name, index) => (
            // A renamed parameter stays the same row, so its field keeps the focus.
            <li key={pathText([index])} className={styles['entry']}>
              <Parameter
                name={name}
                isTaken={(other) => Object.hasOwn(parameters, other)}
                onRename={(wanted) => save(renameKey(parameters, name, wanted))}
                onRemove={() => {
                  const { [name]: _, ...others } = parameters
                  save(others)
                }}
              />
            </li>
          ))}
        </ul>
      )}
      {names.length === 0 && error !== undefined ? <p className={styles['problem']}>{error}</p> : null}
      <Button
        size="compact-sm"
        variant="default"
        className={styles['add'] ?? ''}
        onClick={() => save({ ...parameters, [freeKey(parameters, 'parameter')]: {} })}
      >
        Add parameter
      </Button>
    </>
  )
}

interface ParameterProps {
  readonly name: string
  readonly isTaken: (name: string) => boolean
  readonly onRename: (name: string) => void
  readonly onRemove: () => void
}

function Parameter({ name, isTaken, onRename, onRemove }: ParameterProps) {
  const path = ['parameters', name]
  const { error } = useAgentField(path)
  const required = useAgentField([...path, 'required'])
  return (
    <>
      <div className={styles['row']}>
        <NameField label="Name" name={name} error={error} isTaken={isTaken} onRename={onRename} />
        <TextField path={[...path, 'description']} label="Description" />
      </div>
      <div className={styles['row']}>
        <DefaultField path={[...path, 'default']} />
        <WordsField path={[...path, 'choices']} label="Allowed values" placeholder="any" />
      </div>
      <div className={styles['foot']}>
        <Checkbox
          size="xs"
          label="Required"
          checked={required.value === true}
          onChange={({ currentTarget }) => required.change(currentTarget.checked || undefined)}
        />
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Remove the parameter ${name}`}
          onClick={onRemove}
        >
          Remove
        </Button>
      </div>
    </>
  )
}

const anyScalar = scalarWriting(new Set(['text', 'number', 'flag'] as const))

function DefaultField({ path }: { path: readonly string[] }) {
  const { value, error, change } = useAgentField(path)
  const { text, type } = useTyped(value, anyScalar, change)
  return (
    <TextInput
      label="Default"
      placeholder="empty"
      error={error}
      autoComplete="off"
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  )
}
