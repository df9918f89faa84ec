import '../../../theme/mantine-form.css'
import { Radio, SegmentedControl, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { ChoiceLabel } from '../../../parts/ChoiceLabel.tsx'
import { Form } from '../../../parts/Form.tsx'
import { SideDrawer } from '../../../parts/SideDrawer.tsx'
import { Skeleton } from '../../../parts/Skeleton.tsx'
import { useSubmission } from '../../../parts/use-submission.ts'
import { templatesQuery } from '../templates/template-calls.ts'
import { ImportTours } from './ImportTours.tsx'
import styles from './NewTourForm.module.css'
import { createTour, toursPath } from './tour-calls.ts'
import { type Way, ways } from './tour-search.ts'
import { countOf } from './tour-words.ts'

interface CreateTourProps {
  readonly way: Way
  readonly template: string | undefined
  readonly onWay: (way: Way) => void
  readonly onClose: () => void
  readonly onImported: (ids: readonly string[]) => Promise<void>
}

const wayWords: Readonly<Record<Way, string>> = {
  visual: 'Blank',
  template: 'Template',
  import: 'File',
}

/** A new tour: blank, from a template, or from an exported recipe. */
export default function CreateTour({ way, template, onWay, onClose, onImported }: CreateTourProps) {
  return (
    <SideDrawer title="Create tour" onClose={onClose} holdsInput>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="Start from"
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

interface NewTourFormProps {
  readonly way: 'visual' | 'template'
  /** The one that is chosen at first. */
  readonly template: string | undefined
  readonly onCancel: () => void
}

/** A name, and perhaps a template; then the builder opens. */
function NewTourForm({ way, template: wanted, onCancel }: NewTourFormProps) {
  const api = useApi()
  const templates = useQuery({ ...templatesQuery(api), enabled: way === 'template' }).data
  const [chosen, setChosen] = useState<string>()
  const [typed, setTyped] = useState<string>()
  const template = chosen ?? wanted ?? templates?.[0]?.id
  // A template has a name that fits most of the time.
  const suggested = way === 'template' ? templates?.find(({ id }) => id === template)?.label : undefined
  const label = typed ?? suggested ?? ''

  const submission = useSubmission({
    fields: ['label', 'template'],
    send: (through) =>
      createTour(through, {
        label,
        creation_method: way,
        ...(way === 'template' && template !== undefined ? { template } : {}),
      }),
    onDone: ({ id }) => {
      // The builder frames other pages, which only a page loaded for it may.
      window.location.assign(`${toursPath}/${encodeURIComponent(id)}/builder`)
    },
  })
  return (
    <Form
      submission={submission}
      submitLabel="Create and open the builder"
      failureSentence="The tour was not created."
      onCancel={onCancel}
    >
      {way === 'template' ? (
        <Radio.Group
          label="Template"
          description="You can change all its steps later."
          size="sm"
          value={template ?? null}
          onChange={setChosen}
          error={submission.problemOf('template')}
        >
          <div className={styles['choices']} aria-busy={templates === undefined}>
            {templates === undefined
              ? [180, 220, 160].map((width) => <Skeleton key={width} width={width} />)
              : templates.map(({ id, label: title, description, tips }) => (
                  <Radio
                    key={id}
                    size="xs"
                    value={id}
                    label={
                      <ChoiceLabel title={`${title} (${countOf(tips.length, 'step')})`} about={description} />
                    }
                  />
                ))}
          </div>
        </Radio.Group>
      ) : null}
      <TextInput
        data-autofocus
        label="Label"
        description="Display name. The ID is derived from it."
        autoComplete="off"
        value={label}
        onChange={(change) => setTyped(change.currentTarget.value)}
        error={submission.problemOf('label')}
      />
    </Form>
  )
}
