import '../../../../theme/mantine-form.css'
import { ActionIcon, Button, TextInput } from '@mantine/core'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { type ReactNode, useState } from 'react'
import styles from './AddressBar.module.css'

interface AddressBarProps {
  /** Where the frame is. */
  readonly text: string
  readonly problem: string | undefined
  readonly onOpen: (text: string) => void
  readonly onReload: () => void
  readonly tools: ReactNode
}

/** Which page is looked at: a path of the console, or the address of any page that embeds the player. */
export function AddressBar({ text, problem, onOpen, onReload, tools }: AddressBarProps) {
  const [typed, setTyped] = useState<string>()
  return (
    <form
      className={styles['bar']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onOpen(typed ?? text)
        setTyped(undefined)
      }}
    >
      <TextInput
        className={styles['field'] ?? ''}
        size="xs"
        aria-label="Page to show"
        placeholder="/users or https://example.org/page"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        data-own-undo
        value={typed ?? text}
        onChange={(change) => setTyped(change.currentTarget.value)}
        error={problem}
      />
      <Button type="submit" size="compact-sm" variant="default">
        Open
      </Button>
      <ActionIcon size={28} aria-label="Reload the page" title="Reload the page" onClick={onReload}>
        <IconRefresh size={16} aria-hidden />
      </ActionIcon>
      {tools}
    </form>
  )
}
