import { ActionIcon } from '@mantine/core'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { isObject, type JsonPath } from '../../document/json.ts'
import { useForm, useValue } from '../form-subject.ts'
import { pathText } from '../schema/path-text.ts'
import type { Shape } from '../schema/shape.ts'
import { Entry } from './Entry.tsx'
import styles from './fields.module.css'
import { NameField } from './NameField.tsx'

interface RecordEntryProps {
  readonly name: string
  /** What such an entry is called, such as header. */
  readonly entry: string
  readonly shape: Shape
  readonly path: JsonPath
  readonly isTaken: (name: string) => boolean
  readonly onRename: (name: string) => void
  readonly onRemove: () => void
}

/** One value and the name it has. */
export function RecordEntry({ name, entry, shape, path, isTaken, onRename, onRemove }: RecordEntryProps) {
  const { FieldView } = useForm()
  const value = useValue(path)
  const label = `Name of ${entry} ${name}`
  const nameField = <NameField label={label} name={name} isTaken={isTaken} onRename={onRename} />
  if (shape.kind === 'group') {
    const reason = isObject(value) ? value['reason'] : undefined
    return (
      <div data-entry={pathText(path)} className={styles['named']}>
        <Entry
          shape={shape}
          path={path}
          title={name}
          gist={typeof reason === 'string' ? reason : ''}
          before={nameField}
          onRemove={onRemove}
        />
      </div>
    )
  }
  return (
    <div data-entry={pathText(path)} className={styles['pair']}>
      {nameField}
      <div data-part="value">
        <FieldView
          field={{ name, description: '', isRequired: true, shape }}
          path={path}
          title={`Value of ${name}`}
          isBare
        />
      </div>
      <ActionIcon size={24} aria-label={`Remove ${name}`} title={`Remove ${name}`} onClick={onRemove}>
        <IconTrash size={14} aria-hidden />
      </ActionIcon>
    </div>
  )
}
