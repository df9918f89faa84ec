import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { Flyout } from '../palette/Flyout.tsx'
import { IconAction } from '../palette/IconAction.tsx'
import { KindChoice } from '../palette/KindChoice.tsx'
import styles from './StepRow.module.css'
import type { StepActions } from './step-actions.ts'
import '../../../theme/mantine-form.css'
import { Checkbox, TextInput } from '@mantine/core'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useState } from 'react'
import { useEditing } from '../use-flow-editor.ts'
import { narrowChoices, type WaitingChoice, waitingChoices } from './waiting-choices.ts'

interface RowActionsProps {
  readonly id: string
  readonly name: string
  readonly index: number
  readonly isLast: boolean
  readonly tabIndex: number
  readonly actions: StepActions
}

/** The actions of one step in the list. */
export function RowActions({ id, name, index, isLast, tabIndex, actions }: RowActionsProps) {
  return (
    <div className={styles['actions']}>
      <Move
        part="up"
        isOff={index === 0}
        {...{ name, tabIndex }}
        onMove={() => actions.move(id, index - 1)}
      />
      <Move part="down" isOff={isLast} {...{ name, tabIndex }} onMove={() => actions.move(id, index + 1)} />
      <Flyout
        data-part="after"
        tabIndex={tabIndex}
        aria-label={`Dependencies of ${name}`}
        title="Runs after…"
        icon={IconLink}
        renderContent={() => <ComesAfter id={id} name={name} setWaiting={actions.setWaiting} />}
      />
      <Flyout
        data-part="add"
        tabIndex={tabIndex}
        aria-label={`Add a step after ${name}`}
        title="Add a step after this one"
        icon={IconPlus}
        renderContent={(close) => (
          <KindChoice
            onChoose={(kind) => {
              close()
              actions.add(kind, { after: id })
            }}
          />
        )}
      />
      <IconAction
        data-part="duplicate"
        tabIndex={tabIndex}
        aria-label={`Duplicate ${name}`}
        title="Duplicate"
        icon={IconCopy}
        onClick={() => actions.duplicate([id])}
      />
      <IconAction
        data-part="remove"
        tabIndex={tabIndex}
        aria-label={`Remove ${name}`}
        title="Remove"
        icon={IconTrash}
        onClick={() => actions.remove([id])}
      />
    </div>
  )
}

interface MoveProps {
  readonly part: 'up' | 'down'
  readonly name: string
  readonly tabIndex: number
  readonly isOff: boolean
  readonly onMove: () => void
}

function Move({ part, name, tabIndex, isOff, onMove }: MoveProps) {
  return (
    <IconAction
      data-part={part}
      tabIndex={tabIndex}
      aria-label={`Move ${name} ${part}`}
      title={`Move ${part} (Alt+${part === 'up' ? '↑' : '↓'})`}
      aria-disabled={isOff}
      icon={part === 'up' ? IconArrowUp : IconArrowDown}
      onClick={isOff ? undefined : onMove}
    />
  )
}

interface ComesAfterProps {
  readonly id: string
  readonly name: string
  readonly setWaiting: StepActions['setWaiting']
}

/** A few steps are seen at a glance; more are searched. */
const fewSteps = 8

const maxShown = 50

/** Which of the other steps a step waits for. What would lead in a circle cannot be chosen. */
function ComesAfter({ id, name, setWaiting }: ComesAfterProps) {
  const { state } = useEditing()
  const [text, setText] = useState('')
  const choices = waitingChoices(state.document.definition.steps, id)
  const { shown, more } = narrowChoices(choices, text, maxShown)
  if (choices.length === 0) return <p className={styles['note']}>There are no other steps yet.</p>
  return (
    <div className={styles['choice']} role="group" aria-label={`${name} runs after`}>
      <p className={styles['title']}>Runs after</p>
      {choices.length > fewSteps ? (
        <TextInput
          type="search"
          size="xs"
          data-autofocus
          aria-label="Search steps"
          placeholder="Search steps"
          leftSection={<IconSearch size={14} aria-hidden />}
          value={text}
          onChange={(change) => setText(change.currentTarget.value)}
        />
      ) : null}
      {shown.map((choice) => (
        <Checkbox
          key={choice.id}
          size="xs"
          label={choice.name}
          description={noteOn(choice)}
          checked={choice.isWaiting}
          disabled={choice.isLater}
          onChange={(change) => setWaiting(id, choice.id, change.currentTarget.checked)}
        />
      ))}
      {shown.length === 0 || more > 0 ? (
        <p className={styles['note']} role="status">
          {more > 0 ? `${more} more: search to find them.` : 'No steps match.'}
        </p>
      ) : null}
    </div>
  )
}

function noteOn({ isGone, isLater }: WaitingChoice): string | undefined {
  if (isGone) return 'Does not exist.'
  return isLater ? 'Would create a cycle.' : undefined
}
