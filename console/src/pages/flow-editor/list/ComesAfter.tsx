import '../../../theme/mantine-form.css'
import { Checkbox, TextInput } from '@mantine/core'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useState } from 'react'
import { useEditing } from '../use-flow-editor.ts'
import styles from './ComesAfter.module.css'
import type { StepActions } from './step-actions.ts'
import { narrowChoices, type WaitingChoice, waitingChoices } from './waiting-choices.ts'

interface ComesAfterProps {
  readonly id: string
  readonly name: string
  readonly setWaiting: StepActions['setWaiting']
}

/** A few steps are seen at a glance; more are searched. */
const fewSteps = 8

const mostShown = 50

/** Which of the other steps a step waits for. What would lead in a circle cannot be chosen. */
export function ComesAfter({ id, name, setWaiting }: ComesAfterProps) {
  const { state } = useEditing()
  const [text, setText] = useState('')
  const choices = waitingChoices(state.document.definition.steps, id)
  const { shown, more } = narrowChoices(choices, text, mostShown)
  if (choices.length === 0) return <p className={styles['note']}>There is no other step yet.</p>
  return (
    <div className={styles['choice']} role="group" aria-label={`${name} comes after`}>
      <p className={styles['title']}>Comes after</p>
      {choices.length > fewSteps ? (
        <TextInput
          type="search"
          size="xs"
          data-autofocus
          aria-label="Search the steps"
          placeholder="Search the steps"
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
          {more > 0 ? `${more} more: search for them.` : 'No step is like that.'}
        </p>
      ) : null}
    </div>
  )
}

function noteOn({ isGone, isLater }: WaitingChoice): string | undefined {
  if (isGone) return 'Is not there.'
  return isLater ? 'Comes later itself.' : undefined
}
