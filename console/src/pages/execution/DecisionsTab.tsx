import { Button } from '@mantine/core'
import { DetailList } from '../../parts/DetailList.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import type { Trace } from '../executions/execution-queries.ts'
import { choicesOf } from './choices.ts'
import styles from './DecisionsTab.module.css'

interface DecisionsTabProps {
  readonly trace: Trace
  readonly onSelect: (step: string) => void
}

/** Where the execution could have gone another way: who decided, why, and what was not done. */
export function DecisionsTab({ trace, onSelect }: DecisionsTabProps) {
  const choices = choicesOf(trace)
  if (choices.length === 0) {
    return (
      <EmptyState
        sentence="No decisions: every step followed from the previous one."
        action={
          <Button size="compact-sm" variant="default" onClick={() => onSelect(trace.steps[0]?.step_id ?? '')}>
            Show the first step
          </Button>
        }
        link={<a href={apiReferencePath}>Read about conditions and routing</a>}
      />
    )
  }
  return (
    <ol className={styles['decisions']}>
      {choices.map(({ step, decision, taken, passed }) => (
        <li key={step}>
          <h3>
            <button type="button" onClick={() => onSelect(step)}>
              {step}
            </button>
          </h3>
          <DetailList
            details={[
              ...(decision === undefined
                ? []
                : [
                    { name: 'Decided by', value: decision.agent },
                    { name: 'Decision', value: decision.decision },
                    { name: 'Reason', value: decision.reasoning },
                    ...(decision.confidence === null
                      ? []
                      : [{ name: 'Confidence', value: `${Math.round(decision.confidence * 100)} %` }]),
                  ]),
              { name: 'Taken', value: taken.map(describeWay).join('; ') || 'as designed' },
              ...(passed.length === 0
                ? []
                : [{ name: 'Not taken', value: passed.map(describeWay).join('; ') }]),
            ]}
          />
        </li>
      ))}
    </ol>
  )
}

function describeWay({ to, label }: { readonly to: string; readonly label: string | null }): string {
  return label === null ? to : `${to} (${label})`
}
