import type { ReactNode } from 'react'
import type { JsonPath } from '../../document/json.ts'
import { useValue } from '../form-subject.ts'
import { canShow } from '../schema/can-show.ts'
import { pathText } from '../schema/path-text.ts'
import type { Shape } from '../schema/shape.ts'
import { EntryBox, type EntryMoves } from './EntryBox.tsx'
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
  /** Among many, only what is looked at is drawn in full. */
  readonly fold?: 'open' | 'folded' | undefined
  /** What stands above its fields. */
  readonly before?: ReactNode
  readonly onRemove: () => void
}

/** An entry that is an object, in a box of its own. */
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
