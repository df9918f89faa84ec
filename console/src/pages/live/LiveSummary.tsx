import { SummaryStrip } from '../../parts/SummaryStrip.tsx'
import type { LoadNow } from './use-live-stream.ts'

/** How busy the platform is, in one line. */
export function LiveSummary({ load }: { load: LoadNow | undefined }) {
  const cells = [
    { name: 'Running', value: load?.active_workflows.toLocaleString(), note: null },
    { name: 'Waiting', value: load?.queue_size.toLocaleString(), note: null },
    { name: 'Load of the machine', value: load && describeLoad(load.system_load), note: null },
  ]
  return <SummaryStrip cells={cells} isLoading={load === undefined} />
}

function describeLoad(load: number | null): string {
  return load === null ? 'unknown' : `${Math.round(load)} %`
}
