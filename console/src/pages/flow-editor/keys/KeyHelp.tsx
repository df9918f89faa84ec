import IconKeyboard from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs'
import { Keys } from '../../../shell/Keys.tsx'
import { Flyout } from '../palette/Flyout.tsx'
import styles from './KeyHelp.module.css'

const shortcuts = [
  { keys: 'mod+z', about: 'Undo' },
  { keys: 'mod+Shift+z', about: 'Redo' },
  { keys: 'mod+c', about: 'Copy the selected steps' },
  { keys: 'mod+x', about: 'Cut them' },
  { keys: 'mod+v', about: 'Paste steps, also from another flow' },
  { keys: 'mod+d', about: 'Duplicate them' },
  { keys: 'Del', about: 'Remove them' },
  { keys: 'mod+a', about: 'Select all steps' },
  { keys: 'Esc', about: 'Select nothing' },
  { keys: 'mod+Enter', about: 'Try the flow' },
  { keys: 'mod+s', about: 'Save' },
  { keys: 'F8', about: 'Go to the next problem' },
  { keys: 'Up+Down', about: 'List: go from step to step' },
  { keys: 'Shift+Down', about: 'List: select further' },
  { keys: 'Alt+Down', about: 'List: move the step' },
  { keys: 'Arrows', about: 'Canvas: move the step' },
]

/** What the keyboard does here besides what it does everywhere. */
export function KeyHelp() {
  return (
    <Flyout
      aria-label="Keyboard shortcuts of the editor"
      icon={IconKeyboard}
      width={320}
      renderContent={() => (
        <dl className={styles['keys']}>
          {shortcuts.map(({ keys, about }) => (
            <div key={keys}>
              <dt>{about}</dt>
              <dd>
                <Keys keys={keys} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    />
  )
}
