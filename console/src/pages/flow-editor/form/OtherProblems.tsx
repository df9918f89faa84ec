import { describeProblem } from '../../../parts/describe-problem.ts'
import { Status } from '../../../parts/Status.tsx'
import type { FlowProblem } from '../problems/problem.ts'
import styles from './Panel.module.css'

/** Problems that no field can show. */
export function OtherProblems({ problems }: { problems: readonly FlowProblem[] }) {
  if (problems.length === 0) return null
  return (
    <ul className={styles['problems']} aria-label="Problems">
      {problems.map(({ path, message, severity }) => (
        <li key={`${path} ${message}`}>
          <Status
            tone={severity === 'error' ? 'bad' : 'warn'}
            word={`${path === '' ? '' : `${path}: `}${describeProblem({ message })}`}
          />
        </li>
      ))}
    </ul>
  )
}
