import { Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { type Json, type JsonPath, valueAt } from '../flow-editor/document/json.ts'
import { useTyped } from '../flow-editor/form/fields/use-typed.ts'
import {
  jsonWriting,
  scalarWriting,
  textWriting,
  type Writing,
} from '../flow-editor/form/schema/typed-text.ts'
import styles from './AgentEditor.module.css'
import { useAgentEditing } from './agent-editing.ts'

interface FieldProps {
  /** The path in the definition. */
  readonly path: JsonPath
  readonly label: string
  readonly description?: ReactNode
  readonly placeholder?: string
}

/** A field of the definition: its value, its problem, and the change of it. */
export function useAgentField(path: JsonPath) {
  const { draft, set, problemOf } = useAgentEditing()
  return {
    value: valueAt(draft, path),
    error: problemOf(path.join('.')),
    change: (value: Json | undefined) => set(path, value),
  }
}

/** The properties of an input that writes a field of the definition as text. */
function useTextInput(path: JsonPath, writing: Writing) {
  const { value, error, change } = useAgentField(path)
  const { text, type } = useTyped(value, writing, change)
  return {
    error,
    value: text,
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      type(currentTarget.value),
  }
}

/** A line of text. An emptied required text stays as '', so that the server reports it. */
export function TextField({
  path,
  required = false,
  ...props
}: FieldProps & { readonly required?: boolean }) {
  return <TextInput {...props} {...useTextInput(path, textWriting(required))} autoComplete="off" />
}

interface LongTextProps extends FieldProps {
  readonly required?: boolean
  readonly minRows: number
  readonly isCode?: boolean
}

/** A text of several lines. */
export function LongTextField({ path, required = false, minRows, isCode = false, ...props }: LongTextProps) {
  return (
    <Textarea
      {...props}
      {...useTextInput(path, textWriting(required))}
      autosize
      minRows={minRows}
      maxRows={30}
      spellCheck={!isCode}
      classNames={isCode ? { input: styles['mono'] ?? '' } : {}}
    />
  )
}

/** Any JSON. Text that is not JSON is kept as a string, which the server reports. */
export function JsonTextField({ path, ...props }: FieldProps) {
  return (
    <Textarea
      {...props}
      {...useTextInput(path, jsonWriting)}
      autosize
      minRows={2}
      maxRows={20}
      spellCheck={false}
      classNames={{ input: styles['mono'] ?? '' }}
    />
  )
}

const numberWriting = scalarWriting(new Set(['number'] as const))

/** A number; empty is the default. Text that is no number is kept, and the server reports it. */
export function NumberField({ path, ...props }: FieldProps) {
  return (
    <TextInput {...props} {...useTextInput(path, numberWriting)} inputMode="decimal" autoComplete="off" />
  )
}

/** A list of words, separated by commas. */
export function WordsField({ path, ...props }: FieldProps) {
  return <TextInput {...props} {...useTextInput(path, wordsWriting)} autoComplete="off" />
}

const wordsWriting = {
  show: (value: Json | undefined) => (Array.isArray(value) ? value.map(String).join(', ') : ''),
  read: (text: string): Json | undefined => {
    const words = text.split(',').flatMap((word) => (word.trim() === '' ? [] : [word.trim()]))
    return words.length === 0 ? undefined : words
  },
}

interface NameFieldProps {
  readonly label: string
  readonly name: string
  readonly error: string | undefined
  readonly isTaken: (name: string) => boolean
  readonly onRename: (name: string) => void
}

/**
 * The name of an entry of a record. It is renamed when the field is left: while it is typed, it could be the name of
 * another entry for a moment.
 */
export function NameField({ label, name, error, isTaken, onRename }: NameFieldProps) {
  const { text, problem, type, finish } = useName(name, isTaken, onRename)
  return (
    <TextInput
      label={label}
      error={problem ?? error}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onBlur={finish}
      onKeyDown={({ key }) => {
        if (key === 'Enter') finish()
      }}
    />
  )
}

function useName(name: string, isTaken: (name: string) => boolean, onRename: (name: string) => void) {
  const [typed, setTyped] = useState<string>()
  const wanted = typed?.trim() ?? name
  const isOther = wanted !== name && isTaken(wanted)
  return {
    text: typed ?? name,
    problem: isOther ? 'This name is already used.' : undefined,
    type: setTyped,
    finish: () => {
      if (isOther) return
      setTyped(undefined)
      if (wanted !== name && wanted !== '') onRename(wanted)
    },
  }
}
