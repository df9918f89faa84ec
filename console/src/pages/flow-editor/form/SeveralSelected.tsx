import { Button } from '@mantine/core'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { nameOf, stepIn } from '../document/flow-document.ts'
import { createStepActions } from '../list/step-actions.ts'
import { useEditing } from '../use-flow-editor.ts'
import styles from './Panel.module.css'

/** What can be done to several steps at once. */
export function SeveralSelected({ ids, onRemoved }: { ids: readonly string[]; onRemoved: () => void }) {
  const editing = useEditing()
  const { editor, state } = editing
  const steps = ids.flatMap((id) => stepIn(state.document, id) ?? [])
  const count = `${steps.length} steps`
  return (
    <>
      <h2 className={styles['title']}>{count} selected</h2>
      <ul className={styles['several']} aria-label="Selected steps">
        {steps.map((step) => (
          <li key={step.id}>
            <Button size="compact-sm" variant="subtle" onClick={() => editor.select([step.id])}>
              {nameOf(step)}
            </Button>
          </li>
        ))}
      </ul>
      <p className={styles['note']}>
        <kbd>Ctrl</kbd> <kbd>C</kbd> copies them with the lines between them, also into another flow.
      </p>
      <div className={styles['foot']}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={() => {
            createStepActions(editing).remove(ids)
            onRemoved()
          }}
        >
          Remove {count}
        </Button>
      </div>
    </>
  )
}
