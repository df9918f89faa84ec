import { Skeleton } from '../../parts/Skeleton.tsx'
import styles from './LiveSummary.module.css'
import type { LoadNow } from './use-live-stream.ts'

/** How busy the platform is, in one line. */
export function LiveSummary({ load }: { load: LoadNow | undefined }) {
  const cells = [
    { name: 'Running', value: load?.active_workflows.toLocaleString() },
    { name: 'Waiting', value: load?.queue_size.toLocaleString() },
    { name: 'Load of the machine', value: load && describeLoad(load.system_load) },
  ]
  return (
    <dl className={styles['summary']} aria-busy={load === undefined}>
      {cells.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? <Skeleton width={48} />}</dd>
        </div>
      ))}
    </dl>
  )
}

function describeLoad(load: number | null): string {
  return load === null ? 'unknown' : `${Math.round(load)} %`
}
