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
  { keys: 'Esc', about: 'Clear selection' },
  { keys: 'mod+Enter', about: 'Test run' },
  { keys: 'mod+s', about: 'Save' },
  { keys: 'F8', about: 'Go to the next problem' },
  { keys: 'Up+Down', about: 'List: previous or next step' },
  { keys: 'Shift+Down', about: 'List: extend selection' },
  { keys: 'Alt+Down', about: 'List: move the step' },
  { keys: 'Arrows', about: 'Canvas: move the step' },
]

/** The shortcuts of the builder. */
export function KeyHelp() {
  return (
    <Flyout
      aria-label="Editor shortcuts"
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
