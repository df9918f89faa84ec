import type { NodeHistory } from './cluster-bodies.ts'
import styles from './NodeLatency.module.css'
import { describeLine, describeMilliseconds, latestOf } from './node-words.ts'
import { Sparkline } from './Sparkline.tsx'

/** How soon a node begins its answers. While nobody asks it anything, how soon it answers a probe. */
export function NodeLatency({ history, url }: { history: NodeHistory | undefined; url: string }) {
  if (history === undefined) return '–'
  const isAsked = history.first_byte_ms.some((ms) => ms !== null)
  const values = isAsked ? history.first_byte_ms : history.probe_ms
  if (values.every((ms) => ms === null)) return '–'
  const what = isAsked ? 'first byte' : 'probe'
  const latest = latestOf(values)
  return (
    <span className={styles['latency']}>
      <Sparkline values={values} label={`${url}, ${what}: ${describeLine(values)}`} quiet={!isAsked} />
      <span className={styles['value']}>
        {latest === undefined ? '–' : describeMilliseconds(latest)}
        <span className={styles['what']}>{what}</span>
      </span>
    </span>
  )
}
