import '../theme/mantine-modal.css'
import { Button, Modal } from '@mantine/core'
import IconAlertTriangleFilled from '@tabler/icons-react/dist/esm/icons/IconAlertTriangleFilled.mjs'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import styles from './OneTimeSecret.module.css'
import { useCopy } from './use-copy.ts'
import { useReturnFocus } from './use-return-focus.ts'

interface NamedSecret {
  readonly name: string
  readonly value: string
}

interface OneTimeSecretProps {
  readonly title: string
  /** Why the secret must be copied now. */
  readonly warning: string
  readonly secrets: readonly NamedSecret[]
  /** An example command that uses the secret. */
  readonly example?: string
  readonly doneLabel: string
  readonly onDone: () => void
}

/**
 * Shows a secret that cannot be shown again. Only its own button closes the dialog: Escape, a click outside, the back button
 * and a reload would lose the secret, so they are blocked.
 */
export function OneTimeSecret({ title, warning, secrets, example, doneLabel, onDone }: OneTimeSecretProps) {
  useReturnFocus()
  const [isHeldUp, setHeldUp] = useState(false)
  const holdUp = () => setHeldUp(true)
  useBlocker({
    shouldBlockFn: () => {
      holdUp()
      return true
    },
    enableBeforeUnload: true,
  })
  return (
    <Modal.Root opened onClose={holdUp} size={520} centered classNames={styles}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body>
          <Modal.Title>{title}</Modal.Title>
          <p className={styles['warning']}>
            <IconAlertTriangleFilled size={16} aria-hidden />
            {warning}
          </p>
          {secrets.map((secret, index) => (
            <SecretLine key={secret.name} {...secret} isFirst={index === 0} />
          ))}
          {example === undefined ? null : (
            <pre className={styles['example']} aria-label="Example">
              {example}
            </pre>
          )}
          <p className={styles['hint']} role="status">
            {isHeldUp ? `Press “${doneLabel}” to close this dialog.` : null}
          </p>
          <div className={styles['foot']}>
            <Button size="sm" onClick={onDone}>
              {doneLabel}
            </Button>
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

function SecretLine({ name, value, isFirst }: NamedSecret & { isFirst: boolean }) {
  const { outcome, copy } = useCopy(value)
  const label = { idle: 'Copy', copied: 'Copied', failed: 'Could not copy' }[outcome]
  return (
    <div className={styles['secret']}>
      <span className={styles['name']}>{name}</span>
      <div className={styles['line']}>
        <code className={styles['value']} data-secret={name}>
          {value}
        </code>
        <Button
          size="sm"
          variant="default"
          aria-label={`${label} ${name}`}
          {...(isFirst ? { 'data-autofocus': true } : {})}
          onClick={copy}
        >
          {label}
        </Button>
      </div>
    </div>
  )
}
