import { ActionIcon } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useEffect, useState } from 'react'
import { copyText } from './copy-text.ts'

const feedbackMs = 1_500
const icons = { idle: IconCopy, copied: IconCheck, failed: IconX }

/** Copies a text and says so for a moment. `what` completes "Copy …". */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [outcome, setOutcome] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (outcome === 'idle') return undefined
    const timer = setTimeout(() => setOutcome('idle'), feedbackMs)
    return () => clearTimeout(timer)
  }, [outcome])

  const label = { idle: `Copy ${what}`, copied: `Copied ${what}`, failed: `Could not copy ${what}` }[outcome]
  const Icon = icons[outcome]
  return (
    <ActionIcon
      size={24}
      aria-label={label}
      title={label}
      onClick={(click) => {
        click.stopPropagation()
        void copyText(text).then((copied) => setOutcome(copied ? 'copied' : 'failed'))
      }}
    >
      <Icon size={14} aria-hidden />
    </ActionIcon>
  )
}
