import { ActionIcon } from '@mantine/core'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import type { ReactNode } from 'react'
import type { JsonPath } from '../../document/json.ts'
import { useValue } from '../form-subject.ts'
import { canShow } from '../schema/can-show.ts'
import { pathText } from '../schema/path-text.ts'
import type { Shape } from '../schema/shape.ts'
import styles from './fields.module.css'
import { GroupFields } from './GroupFields.tsx'
import { JsonField } from './JsonField.tsx'
import { useField } from './use-field.tsx'
import { useOpen } from './use-open.ts'

interface EntryProps {
  readonly shape: Shape
  readonly path: JsonPath
  readonly title: string
  readonly gist: string
  readonly moves?: EntryMoves
  /** Long lists render only open entries in full. */
  readonly fold?: 'open' | 'folded' | undefined
  /** Content above the fields. */
  readonly before?: ReactNode
  readonly onRemove: () => void
}

/** An object entry, in a box. */
export function Entry({ shape, path, title, gist, moves, fold, before, onRemove }: EntryProps) {
  const field = { name: String(path.at(-1)), description: '', isRequired: true, shape }
  const value = useValue(path)
  const { error } = useField({ field, path, title })
  const [isOpen, setIsOpen] = useOpen(pathText(path), fold !== 'folded')
  const isShown = fold === undefined || isOpen
  const isGroup = shape.kind === 'group' && canShow(shape, value)
  return (
    <div data-path={pathText(path)}>
      <EntryBox
        title={title}
        gist={gist}
        error={isGroup ? error : undefined}
        moves={moves}
        fold={fold === undefined ? undefined : { isOpen, onToggle: () => setIsOpen(!isOpen) }}
        onRemove={onRemove}
      >
        {before}
        {isShown ? (
          <div data-part="value">
            {isGroup ? (
              <GroupFields shape={shape} path={path} />
            ) : (
              <JsonField field={field} path={path} title={title} />
            )}
          </div>
        ) : null}
      </EntryBox>
    </div>
  )
}

interface EntryMoves {
  /** Undefined at the end of the list. */
  readonly onUp: (() => void) | undefined
  readonly onDown: (() => void) | undefined
}

interface EntryBoxProps {
  /** The title, such as Condition 2. */
  readonly title: string
  /** The summary of the entry, in one line. */
  readonly gist: string
  readonly error: string | undefined
  readonly moves?: EntryMoves | undefined
  /** Undefined for an entry that is always open. */
  readonly fold?: { readonly isOpen: boolean; readonly onToggle: () => void } | undefined
  readonly onRemove: () => void
  readonly children: ReactNode
}

/** One entry of a list or a record, with its actions. */
function EntryBox({ title, gist, error, moves, fold, onRemove, children }: EntryBoxProps) {
  return (
    <fieldset className={styles['entry']} aria-label={title}>
      <div className={styles['head']}>
        {fold === undefined ? (
          <span className={styles['title']}>{title}</span>
        ) : (
          <button
            type="button"
            className={`${styles['title']} ${styles['fold']}`}
            aria-expanded={fold.isOpen}
            onClick={fold.onToggle}
          >
            <IconChevronRight size={14} aria-hidden />
            {title}
          </button>
        )}
        <span className={styles['gist']}>{gist}</span>
        {moves === undefined ? null : (
          <>
            <MoveButton label={`Move ${title} up`} part="up" onClick={moves.onUp} icon={IconArrowUp} />
            <MoveButton
              label={`Move ${title} down`}
              part="down"
              onClick={moves.onDown}
              icon={IconArrowDown}
            />
          </>
        )}
        <ActionIcon size={24} aria-label={`Remove ${title}`} title={`Remove ${title}`} onClick={onRemove}>
          <IconTrash size={14} aria-hidden />
        </ActionIcon>
      </div>
      {error === undefined ? null : <p className={styles['error']}>{error}</p>}
      {children}
    </fieldset>
  )
}

interface MoveButtonProps {
  readonly label: string
  readonly part: string
  readonly onClick: (() => void) | undefined
  readonly icon: typeof IconArrowUp
}

function MoveButton({ label, part, onClick, icon: Icon }: MoveButtonProps) {
  return (
    <ActionIcon
      size={24}
      aria-label={label}
      title={label}
      data-part={part}
      // `aria-disabled` keeps the focus on the button when the entry becomes the first or last one.
      aria-disabled={onClick === undefined}
      onClick={onClick}
    >
      <Icon size={14} aria-hidden />
    </ActionIcon>
  )
}
