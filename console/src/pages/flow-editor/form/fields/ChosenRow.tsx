import { ActionIcon } from '@mantine/core'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'

/** Something that was chosen, and can be taken away again. */
export function ChosenRow({ name, onRemove }: { name: string; onRemove: () => void }) {
  return (
    <li>
      <span>{name}</span>
      <ActionIcon size={24} aria-label={`Remove ${name}`} title={`Remove ${name}`} onClick={onRemove}>
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </li>
  )
}
