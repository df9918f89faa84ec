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

interface EntryProps {
  readonly shape: Shape
  readonly path: JsonPath
  readonly title: string
  readonly gist: string
  readonly moves?: EntryMoves
  /** What stands above its fields. */
  readonly before?: ReactNode
  readonly onRemove: () => void
}

/** An entry that is an object, in a box of its own. */
export function Entry({ shape, path, title, gist, moves, before, onRemove }: EntryProps) {
  const field = { name: String(path.at(-1)), description: '', isRequired: true, shape }
  const value = useValue(path)
  const { error } = useField({ field, path, title })
  const isGroup = shape.kind === 'group' && canShow(shape, value)
  return (
    <div data-path={pathText(path)}>
      <EntryBox
        title={title}
        gist={gist}
        error={isGroup ? error : undefined}
        moves={moves}
        onRemove={onRemove}
      >
        {before}
        <div data-part="value">
          {isGroup ? (
            <GroupFields shape={shape} path={path} />
          ) : (
            <JsonField field={field} path={path} title={title} />
          )}
        </div>
      </EntryBox>
    </div>
  )
}
