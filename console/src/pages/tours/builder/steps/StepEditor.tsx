import '../../../../theme/mantine-form.css'
import { ActionIcon, Button, Input, NativeSelect, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import IconBold from '@tabler/icons-react/dist/esm/icons/IconBold.mjs'
import IconCode from '@tabler/icons-react/dist/esm/icons/IconCode.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconItalic from '@tabler/icons-react/dist/esm/icons/IconItalic.mjs'
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import IconList from '@tabler/icons-react/dist/esm/icons/IconList.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import type { TipLocation } from '@tutti/player/protocol'
import { useId, useLayoutEffect, useRef } from 'react'
import { describeProblem, isAbout } from '../../../../parts/describe-problem.ts'
import formStyles from '../../../../parts/Form.module.css'
import type { Refusal } from '../document/autosave.ts'
import type { Step } from '../document/tour-document.ts'
import styles from './StepEditor.module.css'
import { TargetFields, type TargetFieldsProps } from './TargetFields.tsx'

interface StepEditorProps extends Omit<TargetFieldsProps, 'error' | 'onChange'> {
  readonly routes: readonly string[]
  readonly refusal: Refusal | undefined
  /** The platform removed a part of the written text. */
  readonly isCleaned: boolean
  readonly onChange: (field: string, changes: Partial<Omit<Step, 'key'>>) => void
  readonly onDuplicate: () => void
  readonly onDelete: () => void
}

/** The fields of the open step. */
export function StepEditor(props: StepEditorProps) {
  const { step, routes, refusal, isCleaned, onChange, onDuplicate, onDelete, ...target } = props
  const problemOf = (field: string) => {
    const problem = refusal?.failure.problems.find((it) => isAbout(it, `stepData.${field}`))
    return problem && describeProblem(problem)
  }
  const isElsewhere = !['title', 'body', 'selector', 'candidates', 'route'].some(problemOf)
  return (
    <div className={formStyles['form']}>
      {refusal !== undefined && isElsewhere ? (
        <p className={styles['refusal']} role="alert">
          {refusal.failure.message}
        </p>
      ) : null}
      <TextInput
        label="Title"
        data-part="title"
        autoComplete="off"
        value={step.title}
        onChange={({ currentTarget: { value } }) => onChange('the title', { title: value })}
        error={problemOf('title')}
      />
      <BodyField
        value={step.body}
        onChange={(body) => onChange('the text', { body })}
        error={problemOf('body')}
      />
      {isCleaned ? (
        <p className={styles['note']}>Some markup is not allowed in tours and was removed when saving.</p>
      ) : null}
      <PlacementChoice
        value={step.location}
        onChange={(location) => onChange('the placement', { location })}
      />
      {step.location === 'center' && step.selector === '' ? (
        <CentreTarget canPick={target.canPick} onPick={target.onPick} />
      ) : null}
      {step.location === 'center' ? null : (
        <TargetFields
          {...target}
          step={step}
          error={problemOf('selector') ?? problemOf('candidates')}
          onChange={(changes) => onChange('the element', changes)}
        />
      )}
      <NativeSelect
        label="Page"
        data={routeChoices(routes, step.route)}
        value={step.route ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange('the page', { route: value === '' ? null : value })
        }
        error={problemOf('route')}
      />
      <div className={styles['foot']}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconCopy size={14} aria-hidden />}
          onClick={onDuplicate}
        >
          Duplicate
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={onDelete}
        >
          Delete
        </Button>
      </div>
    </div>
  )
}

function CentreTarget({ canPick, onPick }: { canPick: boolean; onPick: () => void }) {
  return (
    <p className={styles['note']}>
      The step appears in the centre of the page.{' '}
      <Button
        size="compact-xs"
        variant="default"
        data-part="target"
        aria-disabled={!canPick}
        onClick={canPick ? onPick : undefined}
      >
        Pick an element
      </Button>
    </p>
  )
}

function routeChoices(routes: readonly string[], chosen: string | null) {
  const all = chosen === null || routes.includes(chosen) ? routes : [...routes, chosen]
  return [
    { value: '', label: 'All tour pages' },
    ...all.map((route) => ({ value: route, label: `Only on ${route}` })),
  ]
}

const placements: readonly { readonly value: TipLocation; readonly label: string }[] = [
  { value: 'top', label: 'Above' },
  { value: 'bottom', label: 'Below' },
  { value: 'left', label: 'Left' },
  { value: 'right', label: 'Right' },
  { value: 'center', label: 'Centre' },
]

interface PlacementChoiceProps {
  readonly value: TipLocation
  readonly onChange: (location: TipLocation) => void
}

/** Chooses the placement of a step: beside its element, or in the middle of the page without one. */
function PlacementChoice({ value, onChange }: PlacementChoiceProps) {
  const id = useId()
  return (
    <Input.Wrapper label="Placement" labelElement="div" labelProps={{ id }}>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-labelledby={id}
        value={value}
        onChange={(chosen) => {
          const placement = placements.find((it) => it.value === chosen)
          if (placement !== undefined) onChange(placement.value)
        }}
        data={[...placements]}
      />
    </Input.Wrapper>
  )
}

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

/** The text of a step, with formatting buttons. */
function BodyField({ value, onChange, error }: BodyFieldProps) {
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
        <div className={styles['marks']} role="group" aria-label="Format selection">
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
          A blank line starts a new paragraph. Allowed tags, each with a closing tag:{' '}
          {['strong', 'em', 'code', 'a href', 'ul', 'ol', 'li', 'h3', 'h4', 'blockquote', 'pre'].map(
            (tag) => (
              <code key={tag}>{`<${tag}>`}</code>
            ),
          )}
          All other markup is removed.
        </p>
      </details>
    </div>
  )
}

export type Mark = 'strong' | 'em' | 'code' | 'link' | 'list'

/** A text and its selection. */
interface Marked {
  readonly text: string
  readonly start: number
  readonly end: number
}

const tags: Readonly<Record<Mark, readonly [string, string]>> = {
  strong: ['<strong>', '</strong>'],
  em: ['<em>', '</em>'],
  code: ['<code>', '</code>'],
  link: ['<a href="https://">', '</a>'],
  list: ['', ''],
}

const samples: Readonly<Record<Mark, string>> = {
  strong: 'strong',
  em: 'emphasis',
  code: 'code',
  link: 'link',
  list: 'First',
}

/** Marks the selection, or inserts a sample at the cursor; the part to be typed next is selected afterwards. */
export function markText({ text, start, end }: Marked, mark: Mark): Marked {
  const chosen = text.slice(start, end) || samples[mark]
  const before = text.slice(0, start)
  const after = text.slice(end)
  if (mark === 'list') return markList(before, chosen, after)
  const [opening, closing] = tags[mark]
  const from = mark === 'link' ? before.length + opening.indexOf('https://') : before.length + opening.length
  return {
    text: before + opening + chosen + closing + after,
    start: from,
    end: from + (mark === 'link' ? 'https://'.length : chosen.length),
  }
}

/** Makes each line an item; blank lines separate the list from the text around it. */
function markList(before: string, chosen: string, after: string): Marked {
  const items = chosen
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => `<li>${line.trim()}</li>`)
  const opening = `${before === '' || before.endsWith('\n\n') ? '' : '\n\n'}<ul>\n`
  const closing = `\n</ul>${after === '' || after.startsWith('\n\n') ? '' : '\n\n'}`
  const from = before.length + opening.length
  const list = items.join('\n')
  return {
    text: before + opening + list + closing + after,
    start: from + '<li>'.length,
    end: from + list.length - '</li>'.length,
  }
}
