import '../../../../theme/mantine-form.css'
import { Input, SegmentedControl } from '@mantine/core'
import type { TipLocation } from '@tutti/player/protocol'
import { useId } from 'react'

const placements: readonly { readonly value: TipLocation; readonly label: string }[] = [
  { value: 'top', label: 'Above' },
  { value: 'bottom', label: 'Below' },
  { value: 'left', label: 'Left' },
  { value: 'right', label: 'Right' },
  { value: 'center', label: 'Centre' },
]

interface PlacementChoiceProps {
  readonly value: TipLocation
  readonly onChange: (location: TipLocation) => void
}

/** Where a step stands: beside its element, or in the centre of the page without one. */
export function PlacementChoice({ value, onChange }: PlacementChoiceProps) {
  const id = useId()
  return (
    <Input.Wrapper label="Placement" labelElement="div" labelProps={{ id }}>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-labelledby={id}
        value={value}
        onChange={(chosen) => {
          const placement = placements.find((it) => it.value === chosen)
          if (placement !== undefined) onChange(placement.value)
        }}
        data={[...placements]}
      />
    </Input.Wrapper>
  )
}
