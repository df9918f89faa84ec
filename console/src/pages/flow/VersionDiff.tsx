import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import type { FlowDiff } from '../flows/flow-bodies.ts'
import { diffQuery } from '../flows/flow-queries.ts'
import styles from './VersionDiff.module.css'

interface VersionDiffProps {
  readonly id: string
  readonly from: number
  readonly to: number
  readonly onClose: () => void
}

/** What is different between two versions, in words and then field by field. */
export function VersionDiff({ id, from, to, onClose }: VersionDiffProps) {
  const { data, failure, refetch } = useAnswer(diffQuery(useApi(), { id, from, to }))
  return (
    <SideDrawer title={`Revision ${from} to ${to}`} onClose={onClose}>
      {failure === null || data !== undefined ? null : (
        <FailureNotice what="They could not be compared." error={failure} onRetry={() => void refetch()} />
      )}
      {data === undefined ? null : (
        <>
          <DrawerSection title="In short">
            {data.summary.length === 0 ? (
              <p>Nothing is different.</p>
            ) : (
              <ul className={styles['summary']}>
                {data.summary.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            )}
          </DrawerSection>
          <Changes title="The flow" changes={data.flow} />
          <Changes title="Metadata" changes={data.metadata} />
          {data.steps.changed.map(({ id: step, changes }) => (
            <Changes key={step} title={`Step ${step}`} changes={changes} />
          ))}
        </>
      )}
    </SideDrawer>
  )
}

function Changes({ title, changes }: { title: string; changes: FlowDiff['flow'] }) {
  if (changes.length === 0) return null
  return (
    <DrawerSection title={title}>
      <dl className={styles['changes']}>
        {changes.map(({ path, change, old_value: before, new_value: after }) =>
          path === 'layout' ? (
            // Nobody reads places on a canvas as numbers.
            <div key={path}>
              <dt>
                The layout on the canvas <span>{change}</span>
              </dt>
            </div>
          ) : (
            <div key={path}>
              <dt>
                {path} <span>{change}</span>
              </dt>
              {change === 'added' ? null : <dd data-kind="before">− {textOf(before)}</dd>}
              {change === 'removed' ? null : <dd data-kind="after">+ {textOf(after)}</dd>}
            </div>
          ),
        )}
      </dl>
    </DrawerSection>
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
