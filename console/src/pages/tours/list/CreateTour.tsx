import '../../../theme/mantine-form.css'
import { SegmentedControl } from '@mantine/core'
import { SideDrawer } from '../../../parts/SideDrawer.tsx'
import { ImportTours } from './ImportTours.tsx'
import { NewTourForm } from './NewTourForm.tsx'
import { type Way, ways } from './tour-search.ts'

interface CreateTourProps {
  readonly way: Way
  readonly template: string | undefined
  readonly onWay: (way: Way) => void
  readonly onClose: () => void
  readonly onImported: (ids: readonly string[]) => Promise<void>
}

const wayWords: Readonly<Record<Way, string>> = {
  visual: 'From nothing',
  template: 'From a template',
  import: 'From a file',
}

/** A new tour: from nothing, from a template, or from a recipe somebody exported. */
export default function CreateTour({ way, template, onWay, onClose, onImported }: CreateTourProps) {
  return (
    <SideDrawer title="Create tour" onClose={onClose} holdsInput>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="How it begins"
        value={way}
        onChange={(value) => onWay(ways.find((one) => one === value) ?? 'visual')}
        data={ways.map((value) => ({ value, label: wayWords[value] }))}
      />
      {way === 'import' ? (
        <ImportTours onCancel={onClose} onImported={onImported} />
      ) : (
        <NewTourForm key={way} way={way} template={template} onCancel={onClose} />
      )}
    </SideDrawer>
  )
}
