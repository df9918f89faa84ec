import { ActionIcon, Textarea } from '@mantine/core'
import IconBold from '@tabler/icons-react/dist/esm/icons/IconBold.mjs'
import IconCode from '@tabler/icons-react/dist/esm/icons/IconCode.mjs'
import IconItalic from '@tabler/icons-react/dist/esm/icons/IconItalic.mjs'
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import IconList from '@tabler/icons-react/dist/esm/icons/IconList.mjs'
import { useId, useLayoutEffect, useRef } from 'react'
import { type Mark, type Marked, markText } from '../document/mark-text.ts'
import styles from './BodyField.module.css'

interface BodyFieldProps {
  readonly value: string
  readonly onChange: (text: string) => void
  readonly error: string | undefined
}

const marks: readonly { readonly mark: Mark; readonly title: string; readonly icon: typeof IconBold }[] = [
  { mark: 'strong', title: 'Strong', icon: IconBold },
  { mark: 'em', title: 'Emphasis', icon: IconItalic },
  { mark: 'code', title: 'Code', icon: IconCode },
  { mark: 'link', title: 'Link', icon: IconLink },
  { mark: 'list', title: 'List', icon: IconList },
]

/** What a step says, with buttons that mark what is selected. */
export function BodyField({ value, onChange, error }: BodyFieldProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const selected = useRef<Marked>(undefined)

  useLayoutEffect(() => {
    const wanted = selected.current
    if (wanted?.text !== value) return
    selected.current = undefined
    field.current?.focus()
    field.current?.setSelectionRange(wanted.start, wanted.end)
  }, [value])

  const apply = (mark: Mark) => {
    const { selectionStart: start = 0, selectionEnd: end = 0 } = field.current ?? {}
    selected.current = markText({ text: value, start, end }, mark)
    onChange(selected.current.text)
  }

  return (
    <div className={styles['body']}>
      <div className={styles['top']}>
        <label htmlFor={id}>Text</label>
        <div className={styles['marks']} role="group" aria-label="Mark what is selected">
          {marks.map(({ mark, title, icon: Icon }) => (
            <ActionIcon key={mark} size={24} aria-label={title} title={title} onClick={() => apply(mark)}>
              <Icon size={14} aria-hidden />
            </ActionIcon>
          ))}
        </div>
      </div>
      <Textarea
        id={id}
        ref={field}
        size="sm"
        rows={4}
        classNames={{ input: styles['field'] ?? '' }}
        value={value}
        onChange={(change) => onChange(change.currentTarget.value)}
        error={error}
      />
      <details className={styles['help']}>
        <summary>Formatting</summary>
        <p>
          A blank line begins a new paragraph. These marks stay, with the same name at their end:{' '}
          {['strong', 'em', 'code', 'a href', 'ul', 'ol', 'li', 'h3', 'h4', 'blockquote', 'pre'].map(
            (tag) => (
              <code key={tag}>{`<${tag}>`}</code>
            ),
          )}
          Everything else is taken out.
        </p>
      </details>
    </div>
  )
}
