import '../theme/mantine-floating.css'
import '../theme/mantine-modal.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Modal, Switch } from '@mantine/core'
import { useReturnFocus } from '../parts/use-return-focus.ts'
import { Keys } from './Keys.tsx'
import styles from './ShortcutHelp.module.css'

interface ShortcutHelpProps {
  readonly shortcuts: ReadonlyArray<{ readonly keys: string; readonly about: string }>
  readonly opened: boolean
  readonly onClose: () => void
  readonly singleKeys: boolean
  readonly onSingleKeys: (on: boolean) => void
}

/** Keys that work inside a part of a page, and so are not shortcuts of the page. */
const localKeys = [{ keys: 'Up+Down', about: 'Move between table rows' }]

/** The list of shortcuts, and the switch for single-key ones, which speech input triggers by accident. */
export default function ShortcutHelp({
  shortcuts,
  opened,
  onClose,
  singleKeys,
  onSingleKeys,
}: ShortcutHelpProps) {
  useReturnFocus()
  return (
    <Modal.Root opened={opened} onClose={onClose} size={440} centered classNames={styles}>
      <Modal.Overlay />
      <Modal.Content>
        <div className={styles['header']}>
          <Modal.Title>Keyboard shortcuts</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </div>
        <Modal.Body>
          <dl className={styles['list']}>
            {[...shortcuts, ...localKeys].map(({ keys, about }) => (
              <div key={keys}>
                <dt>{about}</dt>
                <dd>
                  <Keys keys={keys} />
                </dd>
              </div>
            ))}
          </dl>
          <Switch
            className={styles['switch'] ?? ''}
            label="Single-key shortcuts"
            checked={singleKeys}
            onChange={(change) => onSingleKeys(change.currentTarget.checked)}
          />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
