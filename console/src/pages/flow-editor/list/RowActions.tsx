import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { Flyout } from '../palette/Flyout.tsx'
import { IconAction } from '../palette/IconAction.tsx'
import { KindChoice } from '../palette/KindChoice.tsx'
import { ComesAfter } from './ComesAfter.tsx'
import styles from './StepRow.module.css'
import type { StepActions } from './step-actions.ts'

interface RowActionsProps {
  readonly id: string
  readonly name: string
  readonly index: number
  readonly isLast: boolean
  readonly tabIndex: number
  readonly actions: StepActions
}

/** What can be done with one step of the list. */
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
        aria-label={`What ${name} comes after`}
        title="Comes after …"
        icon={IconLink}
        renderContent={() => <ComesAfter id={id} name={name} setWaiting={actions.setWaiting} />}
      />
      <Flyout
        data-part="add"
        tabIndex={tabIndex}
        aria-label={`Add a step after ${name}`}
        title="Add a step after it"
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
