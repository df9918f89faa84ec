import '../../theme/mantine-form.css'
import { Button, Textarea } from '@mantine/core'
import IconPlayerStopFilled from '@tabler/icons-react/dist/esm/icons/IconPlayerStopFilled.mjs'
import { type ReactNode, useRef } from 'react'
import { Keys } from '../../shell/Keys.tsx'
import styles from './Composer.module.css'

interface ComposerProps {
  readonly draft: string
  readonly onDraft: (draft: string) => void
  /** An answer is on its way. */
  readonly isRunning: boolean
  /** A model is available. */
  readonly canAsk: boolean
  readonly onAsk: () => void
  readonly onStop: () => void
  /** More to do with what is written. */
  readonly ways: ReactNode
}

/** Where a question is written and sent, and an answer is stopped. */
export function Composer({ draft, onDraft, isRunning, canAsk, onAsk, onStop, ways }: ComposerProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const isReady = canAsk && !isRunning && draft.trim() !== ''
  // The button that was pressed goes, and the focus must not go with it.
  const ask = () => {
    field.current?.focus()
    if (isReady) onAsk()
  }
  const stop = () => {
    field.current?.focus()
    onStop()
  }
  return (
    <form
      className={styles['composer']}
      onSubmit={(event) => {
        event.preventDefault()
        ask()
      }}
    >
      <Textarea
        ref={field}
        aria-label="Message"
        placeholder="Type a message"
        size="sm"
        rows={3}
        classNames={{ input: styles['field'] ?? '' }}
        value={draft}
        onChange={(change) => onDraft(change.currentTarget.value)}
        onKeyDown={(press) => {
          if (press.key !== 'Enter' || !(press.ctrlKey || press.metaKey)) return
          press.preventDefault()
          ask()
        }}
      />
      <div className={styles['foot']}>
        <div className={styles['ways']}>{ways}</div>
        <span className={styles['keys']} aria-hidden>
          <Keys keys={isRunning ? 'Esc' : 'mod+Enter'} />
        </span>
        {isRunning ? (
          <Button
            key="stop"
            size="sm"
            variant="default"
            leftSection={<IconPlayerStopFilled size={14} aria-hidden />}
            aria-keyshortcuts="Escape"
            onClick={stop}
          >
            Stop
          </Button>
        ) : (
          <Button
            key="ask"
            type="submit"
            size="sm"
            aria-disabled={!isReady}
            aria-keyshortcuts="Control+Enter Meta+Enter"
          >
            Send
          </Button>
        )}
      </div>
    </form>
  )
}
