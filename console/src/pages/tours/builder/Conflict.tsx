import { Button } from '@mantine/core'
import IconAlertTriangleFilled from '@tabler/icons-react/dist/esm/icons/IconAlertTriangleFilled.mjs'
import styles from './Conflict.module.css'
import type { Clash, Side } from './document/merge-documents.ts'

interface ConflictProps {
  readonly changedBy: string | null
  readonly clashes: readonly Clash[]
  readonly onDecide: (side: Side) => void
}

/** Two people changed the same thing: what each made of it, and the choice. */
export function Conflict({ changedBy, clashes, onDecide }: ConflictProps) {
  const who = changedBy ?? 'Somebody else'
  return (
    <section className={styles['conflict']} role="alert" aria-labelledby="conflict-heading">
      <IconAlertTriangleFilled className={styles['icon']} size={18} aria-hidden />
      <div className={styles['text']}>
        <h2 id="conflict-heading">{who} changed the same as you.</h2>
        <p>
          Everything else of both is kept. Whichever you choose, the other is one undo away; until then
          nothing is saved.
        </p>
        <table>
          <thead>
            <tr>
              <td />
              <th scope="col">Yours</th>
              <th scope="col">Theirs</th>
            </tr>
          </thead>
          <tbody>
            {clashes.map(({ what, mine, theirs }) => (
              <tr key={what}>
                <th scope="row">{what}</th>
                <td>{mine}</td>
                <td>{theirs}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <div className={styles['ways']}>
          <Button size="compact-sm" variant="default" onClick={() => onDecide('mine')}>
            Keep mine
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => onDecide('theirs')}>
            Take theirs
          </Button>
        </div>
      </div>
    </section>
  )
}
