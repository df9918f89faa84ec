import { Keys } from '../../../shell/Keys.tsx'
import styles from './KeyHelp.module.css'

const shortcuts = [
  { keys: 'mod+e', about: 'Pick an element for a new step' },
  { keys: 'mod+z', about: 'Undo' },
  { keys: 'mod+Shift+z', about: 'Redo' },
  { keys: 'Alt+↑', about: 'Move the step up' },
  { keys: 'Alt+↓', about: 'Move the step down' },
  { keys: 'Esc', about: 'Stop picking' },
]

/** What the keyboard does here besides what it does everywhere. */
export function KeyHelp() {
  return (
    <details className={styles['help']}>
      <summary>Keyboard</summary>
      <dl>
        {shortcuts.map(({ keys, about }) => (
          <div key={keys}>
            <dt>{about}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
