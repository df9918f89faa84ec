import { Button } from '@mantine/core'
import { stepKinds } from '../document/step-kinds.ts'
import { useStepActions } from '../list/step-actions.ts'
import { StepIcon } from '../palette/StepIcon.tsx'
import { useEditing } from '../use-flow-editor.ts'
import styles from './EmptyFlow.module.css'

/** The empty canvas: choices for the first step. */
export function EmptyFlow() {
  const { scope } = useEditing().state
  const actions = useStepActions()
  return (
    <div className={styles['empty']}>
      <p>{scope === null ? 'This workflow' : 'This scope'} has no steps yet. Choose the first step.</p>
      <div className={styles['kinds']}>
        {stepKinds.map((kind) => (
          <Button
            key={kind.type}
            variant="default"
            size="xs"
            title={kind.about}
            leftSection={<StepIcon type={kind.type} />}
            onClick={() => actions.add(kind)}
          >
            {kind.title}
          </Button>
        ))}
      </div>
    </div>
  )
}
