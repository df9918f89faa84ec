import '../../../../theme/mantine-form.css'
import { SegmentedControl } from '@mantine/core'
import type { PageSize } from './page-size.ts'

const sizes: readonly { readonly value: PageSize; readonly label: string }[] = [
  { value: 'fit', label: 'Fit' },
  { value: 'desktop', label: 'Desktop' },
  { value: 'tablet', label: 'Tablet' },
  { value: 'phone', label: 'Phone' },
]

/** How wide the page is looked at. */
export function SizeChoice({ size, onChange }: { size: PageSize; onChange: (size: PageSize) => void }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Width of the page"
      value={size}
      onChange={(chosen) => onChange(sizes.find(({ value }) => value === chosen)?.value ?? 'fit')}
      data={[...sizes]}
    />
  )
}
