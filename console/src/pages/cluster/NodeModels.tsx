import { DrawerSection } from '../../parts/DrawerSection.tsx'
import type { ClusterNode } from './cluster-bodies.ts'
import styles from './NodeModels.module.css'

/** What a node can answer with; what it has in memory comes first. */
export function NodeModels({ node: { models, loaded_models } }: { node: ClusterNode }) {
  const loaded = new Set(loaded_models)
  const sorted = models.toSorted((left, right) => Number(loaded.has(right)) - Number(loaded.has(left)))
  return (
    <DrawerSection title="Models">
      {models.length === 0 ? (
        <p className={styles['none']}>It has none, or has not told them yet.</p>
      ) : (
        <ul className={styles['models']}>
          {sorted.map((name) => (
            <li key={name}>
              <code>{name}</code>
              {loaded.has(name) ? <span className={styles['loaded']}>in memory</span> : null}
            </li>
          ))}
        </ul>
      )}
    </DrawerSection>
  )
}
