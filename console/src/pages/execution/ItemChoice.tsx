import '../../theme/mantine-form.css'
import { NativeSelect } from '@mantine/core'

interface ItemChoiceProps {
  readonly items: number
  readonly item: number
  readonly onChoose: (item: number) => void
}

/** Which item of a batch is shown. */
export function ItemChoice({ items, item, onChoose }: ItemChoiceProps) {
  return (
    <NativeSelect
      size="sm"
      label="Item of the batch"
      data={Array.from({ length: items }, (_, index) => ({
        value: String(index),
        label: `${index + 1} of ${items}`,
      }))}
      value={String(item)}
      onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}
    />
  )
}
