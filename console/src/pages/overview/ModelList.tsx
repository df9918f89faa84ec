import { UnstyledButton } from '@mantine/core'
import { useId } from 'react'
import styles from './ModelList.module.css'

/** How many models a node has; their names are one press away. */
export function ModelList({ models, node }: { models: readonly string[]; node: string }) {
  const id = useId()
  if (models.length === 0) return 0
  return (
    <>
      <UnstyledButton
        className={styles['count'] ?? ''}
        popoverTarget={id}
        aria-label={`Models of ${node}: ${models.length}`}
      >
        {models.length}
      </UnstyledButton>
      {/* A long list scrolls, and what scrolls must be reachable by keyboard. */}
      <div
        id={id}
        popover="auto"
        className={styles['list']}
        tabIndex={0}
        role="region"
        aria-label={`Models of ${node}`}
      >
        <ul>
          {models.map((name) => (
            <li key={name}>
              <code>{name}</code>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}
