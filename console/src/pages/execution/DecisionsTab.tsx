import { Button } from '@mantine/core'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import type { Trace } from '../executions/execution-bodies.ts'
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
        sentence="Nothing was decided here: every step followed from the one before it."
        action={
          <Button size="compact-sm" variant="default" onClick={() => onSelect(trace.steps[0]?.step_id ?? '')}>
            See the first step
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
          <Facts
            facts={[
              ...(decision === undefined
                ? []
                : [
                    { name: 'Decided by', value: decision.agent },
                    { name: 'Decision', value: decision.decision },
                    { name: 'Because', value: decision.reasoning },
                    ...(decision.confidence === null
                      ? []
                      : [{ name: 'Confidence', value: `${Math.round(decision.confidence * 100)} %` }]),
                  ]),
              { name: 'Taken', value: taken.map(describeWay).join('; ') || 'as drawn' },
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
