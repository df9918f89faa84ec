import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Section } from '../../../parts/Section.tsx'
import { lazyPart } from '../../../shell/loading/lazy-part.tsx'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import styles from './today.module.css'
import { openTasksQuery } from './today-queries.ts'
import { Unfolded } from './Unfolded.tsx'

const HumanTask = lazyPart(() => import('../../human-tasks/HumanTask.tsx'))

/** Questions of executions to this person, answered in place; nothing when there is none. */
export function OpenTasks() {
  const { data, failure, refetch } = useApiQuery(openTasksQuery(useApi()))
  const [seen, setSeen] = useState(0)
  const tasks = data?.tasks ?? []
  if (tasks.length > seen) setSeen(tasks.length)
  if (tasks.length === 0 && failure === null && seen === 0) return null
  return (
    <Section
      title="Human tasks"
      note={data === undefined || data.total === 0 ? undefined : `${data.total.toLocaleString()} open`}
      aside={<Link to="/human-tasks">All tasks</Link>}
    >
      {data === undefined && failure !== null ? (
        <FailureNotice
          what="The human tasks could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : tasks.length === 0 ? (
        <p className={styles['none']}>No open tasks.</p>
      ) : (
        <ul className={styles['waiting']} aria-label="Open tasks">
          {tasks.map(({ id, execution_id, may_open_execution, flow_label, step_id, created_at }) => (
            <li key={id}>
              <span className={styles['what']}>
                {may_open_execution ? (
                  <Link to="/executions/$execution" params={{ execution: execution_id }}>
                    {flow_label}
                  </Link>
                ) : (
                  <Link to="/human-tasks" search={{ task: id }}>
                    {flow_label}
                  </Link>
                )}
                <span className={styles['about']}>
                  Step {step_id}, <RelativeTime at={new Date(created_at * 1000).toISOString()} />
                </span>
              </span>
              <Unfolded label="Question" about={flow_label} isOpen={tasks.length === 1}>
                <Suspense>
                  <HumanTask id={id} />
                </Suspense>
              </Unfolded>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
