import { type StepKind, stepKinds } from '../document/step-kinds.ts'
import { AgentChoice } from './AgentChoice.tsx'
import styles from './KindChoice.module.css'
import { KindList } from './KindList.tsx'

/** All step types and agents that can be added to a flow. */
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
