import type { EditorView } from '@codemirror/view'
import { Input } from '@mantine/core'
import { useId, useMemo, useRef } from 'react'
import { CodeMirror } from '../../../../editing/CodeMirror.tsx'
import { useForm } from '../form-subject.ts'
import { suggestionsAt } from '../paths/suggestions-at.ts'
import { templateExtensions } from '../paths/template-extensions.ts'
import { unfilledIn } from '../paths/unfilled.ts'
import type { Shape } from '../schema/shape.ts'
import { describeKind, jsonWriting, scalarWriting, textWriting, type Writing } from '../schema/typed-text.ts'
import type { FieldProps } from './field-props.ts'
import styles from './fields.module.css'
import { useField } from './use-field.tsx'
import { useTyped } from './use-typed.ts'

interface TemplateFieldProps extends FieldProps {
  readonly isLine: boolean
}

/** Text with placeholders: `{{` completes them, and unfilled ones are reported. */
export function TemplateField({ isLine, isBare = false, ...props }: TemplateFieldProps) {
  const { field, path } = props
  const { step } = useForm()
  const { value, change, label, description, error } = useField(props)
  const writing = useMemo(() => writingOf(field.shape, field.isRequired), [field.shape, field.isRequired])
  const { text, type } = useTyped(value, writing, change)
  const id = useId()
  const view = useRef<EditorView>(null)
  const filling = {
    suggestions: step === null ? [] : suggestionsAt(step.step, path, step),
    keys: step?.memoryKeys ?? [],
  }
  const extensions = useSteady(filling, isLine)
  const unfilled = unfilledIn(text, filling)
  const isJson = field.shape.kind === 'json' && value !== undefined
  const help = (
    <>
      {description} {isJson ? `Parsed as ${describeKind(value)}.` : ''}
      {unfilled.map((sentence) => (
        <span key={sentence} className={styles['warning']}>
          {sentence}
        </span>
      ))}
    </>
  )
  const hasHelp = description !== undefined || unfilled.length > 0 || isJson
  return (
    <Input.Wrapper
      id={id}
      label={isBare ? undefined : label}
      labelElement="div"
      labelProps={{ onClick: () => view.current?.focus() }}
      description={hasHelp ? help : undefined}
      error={error}
    >
      <CodeMirror
        value={text}
        onChange={type}
        extensions={extensions}
        label={label}
        describedBy={describedBy(id, { hasHelp, hasError: error !== undefined })}
        isInvalid={error !== undefined}
        className={isLine ? styles['line'] : styles['template']}
        onView={(made) => {
          view.current = made
        }}
      />
    </Input.Wrapper>
  )
}

/** The same extensions for as long as they would do the same: a change elsewhere in the flow mostly changes nothing here. */
function useSteady(filling: Parameters<typeof templateExtensions>[0], isLine: boolean) {
  const told = JSON.stringify(filling)
  return useMemo(() => templateExtensions(JSON.parse(told) as typeof filling, { isLine }), [told, isLine])
}

function describedBy(id: string, { hasHelp, hasError }: { hasHelp: boolean; hasError: boolean }) {
  const ids = [hasError ? `${id}-error` : '', hasHelp ? `${id}-description` : ''].filter((it) => it !== '')
  return ids.length === 0 ? undefined : ids.join(' ')
}

function writingOf(shape: Shape, isRequired: boolean): Writing {
  if (shape.kind === 'json') return jsonWriting
  if (shape.kind === 'scalar') return scalarWriting(new Set(shape.of.map(({ kind }) => kind)), isRequired)
  return textWriting(isRequired)
}
