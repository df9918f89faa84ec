import { Button, NativeSelect, Radio, TextInput } from '@mantine/core'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { ChoiceLabel } from '../../../parts/ChoiceLabel.tsx'
import { Form } from '../../../parts/Form.tsx'
import { Page } from '../../../parts/Page.tsx'
import { Section } from '../../../parts/Section.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { useSubmission } from '../../../parts/use-submission.ts'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import { TourTrouble } from '../list/TourTrouble.tsx'
import { countOf } from '../list/tour-words.ts'
import styles from './ExportPage.module.css'
import {
  type ExportAction,
  type Exported,
  type ExportForm as ExportFormBody,
  exportQuery,
  exportTour,
} from './export-calls.ts'
import { FindingList } from './FindingList.tsx'

const route = getRouteApi('/admin/structure/recipe-onboarding/tours/$tour/export')

/** Exports a tour as a recipe: its compatibility, the packing options, and the file. */
export function ExportPage() {
  const { tour: id } = route.useParams()
  const api = useApi()
  const cache = useQueryClient()
  const { data, failure, refetch } = useApiQuery(exportQuery(api, id))
  const [made, setMade] = useState<Exported>()
  if (data === undefined) {
    return (
      <Page title="Export">
        <TourTrouble id={id} failure={failure} needs="export recipe tours" onRetry={() => void refetch()} />
      </Page>
    )
  }
  const { findings, files } = data
  const problems = findings.filter(({ severity }) => severity !== 'note').length
  return (
    <Page
      title="Export"
      lead={
        <>
          <Link to="/admin/structure/recipe-onboarding/tours/$tour" params={{ tour: id }}>
            {data.tour.label}
          </Link>{' '}
          is exported as a recipe: files that a Drupal site can install.
        </>
      }
    >
      <div className={styles['columns']}>
        <Section title="Recipe">
          <div className={styles['form']}>
            <ExportForm
              form={data}
              onExported={async (exported) => {
                setMade(exported)
                await cache.invalidateQueries({ queryKey: ['tours'] })
              }}
            />
            {made === undefined ? null : <ReadyFile key={made.download_url} made={made} />}
          </div>
        </Section>
        <div className={styles['findings']}>
          <Section title="Compatibility" note={problems === 0 ? undefined : countOf(problems, 'problem')}>
            <FindingList findings={findings} none="No problems found." />
          </Section>
          <Section title="Files" note={countOf(files.length, 'file')}>
            <FileTable files={files} />
          </Section>
        </div>
      </div>
    </Page>
  )
}

/** The download link of the file. It gets the focus, so that screen readers announce it. */
function ReadyFile({ made: { filename, download_url, expires_at, recipe_id } }: { made: Exported }) {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => link.current?.focus(), [])
  // The platform may be configured with another host name than the one of this window, so only the path is used.
  const { pathname } = new URL(download_url)
  return (
    <div className={styles['ready']} role="status">
      <div>
        <p className={styles['name']}>{filename} is ready.</p>
        <p className={styles['about']}>
          {recipe_id === null ? null : <>The recipe {recipe_id} is up to date. </>}
          The link expires <RelativeTime at={expires_at} />.
        </p>
      </div>
      <Button
        size="sm"
        leftSection={<IconDownload size={16} aria-hidden />}
        renderRoot={(props) => <a {...props} ref={link} href={pathname} download={filename} />}
      >
        Download
      </Button>
    </div>
  )
}

interface ExportFormProps {
  readonly form: ExportFormBody
  readonly onExported: (made: Exported) => Promise<void>
}

const formatWords = { zip: 'zip', 'tar.gz': 'tar.gz', json: 'JSON' } as const

/** The name and packing of the recipe, and whether the platform stores it. */
function ExportForm({
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
      about: 'Updates this tour in its recipe and exports the recipe with all its tours.',
    },
    create_new: {
      title: 'Create a recipe',
      about: 'Stores a new recipe and assigns the tour to it.',
    },
    export_only: { title: 'Export files only', about: 'Only the file is kept, for one hour.' },
  }
  return (
    <Form submission={submission} submitLabel="Export" failureSentence="The tour was not exported.">
      <Radio.Group
        label="Export mode"
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

type RecipeFile = ExportFormBody['files'][number]

const fileColumns: ReadonlyArray<Column<RecipeFile>> = [
  {
    title: 'File',
    value: ({ path }) => path,
    cell: ({ path }) => <code className={styles['path']}>{path}</code>,
  },
  { title: 'Bytes', value: ({ size }) => size, numeric: true, cell: ({ size }) => size.toLocaleString() },
  { title: 'SHA-256', cell: ({ sha256 }) => <code title={sha256}>{sha256.slice(0, 12)}…</code> },
]

/** The files of the recipe; the same tour always gives the same files. */
function FileTable({ files }: { files: readonly RecipeFile[] }) {
  return <Table label="Files" columns={fileColumns} rows={files} rowKey={({ path }) => path} />
}
