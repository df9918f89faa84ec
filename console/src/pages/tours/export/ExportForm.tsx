import { NativeSelect, Radio, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ChoiceLabel } from '../../../parts/ChoiceLabel.tsx'
import { Form } from '../../../parts/Form.tsx'
import { useSubmission } from '../../../parts/use-submission.ts'
import {
  type ExportAction,
  type Exported,
  type ExportForm as ExportFormBody,
  exportTour,
} from './export-calls.ts'

interface ExportFormProps {
  readonly form: ExportFormBody
  readonly onExported: (made: Exported) => Promise<void>
}

const formatWords = { zip: 'zip', 'tar.gz': 'tar.gz', json: 'JSON' } as const

/** How the recipe is called and packed, and whether the platform remembers it. */
export function ExportForm({
  form: { tour, recipe, actions, export_formats, defaults },
  onExported,
}: ExportFormProps) {
  const [chosen, setChosen] = useState<ExportAction>()
  const [name, setName] = useState<string>(defaults.recipe_name)
  const [description, setDescription] = useState<string>(defaults.description)
  const [format, setFormat] = useState(defaults.export_format)
  const action = chosen ?? defaults.action
  const submission = useSubmission({
    fields: ['action', 'recipe_name', 'description', 'export_format'],
    send: (api) =>
      exportTour(api, tour.id, { action, recipe_name: name, description, export_format: format }),
    onDone: onExported,
  })
  const { problemOf } = submission
  const about: Readonly<Record<ExportAction, { readonly title: string; readonly about: string }>> = {
    update_existing: {
      title: `Update “${recipe?.name ?? ''}”`,
      about:
        'The recipe this tour belongs to gets the tour as it is now, and is exported with all its tours.',
    },
    create_new: {
      title: 'Create a recipe',
      about: 'The platform keeps it, and the tour belongs to it from now on.',
    },
    export_only: { title: 'Export files only', about: 'Nothing is kept but the file, for an hour.' },
  }
  return (
    <Form submission={submission} submitLabel="Export" failureSentence="The tour was not exported.">
      <Radio.Group
        label="What to do"
        value={action}
        onChange={(value) => setChosen(actions.find((one) => one === value))}
        error={problemOf('action')}
      >
        {actions.map((value) => (
          <Radio key={value} value={value} size="xs" mt={8} label={<ChoiceLabel {...about[value]} />} />
        ))}
      </Radio.Group>
      <TextInput
        label="Recipe name"
        autoComplete="off"
        value={name}
        onChange={(change) => setName(change.currentTarget.value)}
        error={problemOf('recipe_name')}
      />
      <TextInput
        label="Description"
        autoComplete="off"
        value={description}
        onChange={(change) => setDescription(change.currentTarget.value)}
        error={problemOf('description')}
      />
      <NativeSelect
        label="Format"
        value={format}
        data={export_formats.map((value) => ({ value, label: formatWords[value] }))}
        onChange={(change) =>
          setFormat(export_formats.find((one) => one === change.currentTarget.value) ?? 'zip')
        }
        error={problemOf('export_format')}
      />
    </Form>
  )
}
