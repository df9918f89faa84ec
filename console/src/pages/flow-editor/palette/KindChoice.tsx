import { type StepKind, stepKinds } from '../document/step-kinds.ts'
import { AgentChoice } from './AgentChoice.tsx'
import styles from './KindChoice.module.css'
import { KindList } from './KindList.tsx'

/** Everything that can be put into a flow. */
export function KindChoice({ onChoose }: { onChoose: (kind: StepKind) => void }) {
  return (
    <>
      <KindList label="Step types" kinds={stepKinds} onChoose={onChoose} />
      <details className={styles['agents']} open>
        <summary>Agents</summary>
        <AgentChoice onChoose={onChoose} />
      </details>
    </>
  )
}
