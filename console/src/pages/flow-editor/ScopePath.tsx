import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { nameOf } from './document/flow-document.ts'
import { placeOfStep } from './document/scopes.ts'
import { containerOf } from './document/step-kinds.ts'
import styles from './ScopePath.module.css'
import { leaveScope } from './scope-ways.ts'
import { useEditing } from './use-flow-editor.ts'

/** The path from the flow to the open scope; none while the flow itself is open. */
export function ScopePath() {
  const editing = useEditing()
  const { document, scope } = editing.state
  const place = scope === null ? undefined : placeOfStep(document, scope)
  if (place === undefined) return null
  const { step, around } = place
  const outer = [
    { id: null, name: document.definition.label.trim() || 'Workflow' },
    ...around.map((container) => ({ id: container.id, name: nameOf(container) })),
  ]
  return (
    <nav className={styles['path']} aria-label="Open scope">
      <ol>
        {outer.map(({ id, name }) => (
          <li key={JSON.stringify(id)}>
            <button type="button" onClick={() => leaveScope(editing, id)}>
              {name}
            </button>
            <IconChevronRight size={14} aria-hidden />
          </li>
        ))}
        <li aria-current="page">
          <strong>{nameOf(step)}</strong>
          <IconChevronRight size={14} aria-hidden />
          {containerOf(step)?.scope}
        </li>
      </ol>
    </nav>
  )
}
