import { ActionIcon } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useCopy } from './use-copy.ts'

const icons = { idle: IconCopy, copied: IconCheck, failed: IconX }

/** Copies a text and confirms it for a moment. `what` completes "Copy …". */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const { outcome, copy } = useCopy(text)
  const label = { idle: `Copy ${what}`, copied: `Copied ${what}`, failed: `Could not copy ${what}` }[outcome]
  const Icon = icons[outcome]
  return (
    <ActionIcon
      size={24}
      aria-label={label}
      title={label}
      onClick={(click) => {
        click.stopPropagation()
        copy()
      }}
    >
      <Icon size={14} aria-hidden />
    </ActionIcon>
  )
}
