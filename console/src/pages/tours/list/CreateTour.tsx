import '../../../theme/mantine-form.css'
import { Button, Radio, SegmentedControl, TextInput } from '@mantine/core'
import IconFileImport from '@tabler/icons-react/dist/esm/icons/IconFileImport.mjs'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Api } from '../../../api/api.ts'
import { useApi } from '../../../api/api-context.ts'
import { ChoiceLabel } from '../../../parts/ChoiceLabel.tsx'
import { ChoiceList } from '../../../parts/ChoiceList.tsx'
import { DrawerSection } from '../../../parts/DrawerSection.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Form } from '../../../parts/Form.tsx'
import { SideDrawer } from '../../../parts/SideDrawer.tsx'
import { Skeleton } from '../../../parts/Skeleton.tsx'
import { useSubmission } from '../../../parts/use-submission.ts'
import type { Finding } from '../export/export-calls.ts'
import { FindingList } from '../export/FindingList.tsx'
import { SiteSelect } from '../sites/SiteSelect.tsx'
import { templatesQuery } from '../templates/template-calls.ts'
import styles from './CreateTour.module.css'
import { createTour, type NewTour, tourAnswer, toursPath } from './tour-calls.ts'
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

/** Creates a tour: blank, from a template, or from an exported recipe. */
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
  /** The template that is selected at first. */
  readonly template: string | undefined
  readonly onCancel: () => void
}

/** Asks for a name and, if chosen, a template; then opens the builder. */
function NewTourForm({ way, template: wanted, onCancel }: NewTourFormProps) {
  const api = useApi()
  const templates = useQuery({ ...templatesQuery(api), enabled: way === 'template' }).data
  const [chosen, setChosen] = useState<string>()
  const [typed, setTyped] = useState<string>()
  const [site, setSite] = useState('default')
  const template = chosen ?? wanted ?? templates?.[0]?.id
  // The name of the template is a good default.
  const suggested = way === 'template' ? templates?.find(({ id }) => id === template)?.label : undefined
  const label = typed ?? suggested ?? ''

  const submission = useSubmission({
    fields: ['label', 'template', 'site_id'],
    send: (through) =>
      createTour(through, {
        label,
        creation_method: way,
        site_id: site,
        ...(way === 'template' && template !== undefined ? { template } : {}),
      }),
    onDone: ({ id }) => {
      // The builder frames other pages, which only a document loaded with its own policy may do.
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
      <SiteSelect
        label="Site"
        description="Its pages show the tour."
        value={site}
        onChange={setSite}
        error={submission.problemOf('site_id')}
      />
    </Form>
  )
}

interface ImportToursProps {
  readonly onCancel: () => void
  readonly onImported: (ids: readonly string[]) => Promise<void>
}

/** Imports tours from a file: it is inspected first, and imported only when the user confirms. */
function ImportTours({ onCancel, onImported }: ImportToursProps) {
  const api = useApi()
  const { mutate, data, error, variables } = useMutation({
    mutationFn: (file: File) => readImportFile(api, file),
  })
  return (
    <div className={styles['import']}>
      <FileDrop
        label="Drop a recipe or a tour here"
        accept=".zip,.gz,.tgz,.json,.yml,application/zip,application/gzip,application/json"
        about="A recipe or exported configuration as zip or tar.gz, a recipe or tour as JSON, or tour.tour.NAME.yml"
        chosen={variables?.name}
        onFile={mutate}
      />
      {error === null || variables === undefined ? null : (
        <FailureNotice what="The file could not be opened." error={error} onRetry={() => mutate(variables)} />
      )}
      {data === undefined ? null : (
        <Chosen key={variables?.name} file={data} onCancel={onCancel} onImported={onImported} />
      )}
    </div>
  )
}

interface ChosenProps extends ImportToursProps {
  readonly file: ImportFile
}

function Chosen({ file: { tours, findings, losses }, onCancel, onImported }: ChosenProps) {
  const [wanted, setWanted] = useState(tours.map(({ id }) => id))
  const [site, setSite] = useState('default')
  const submission = useSubmission({
    fields: ['site_id'],
    send: async (api) => {
      const ids: string[] = []
      for (const { id, given } of tours) {
        if (!wanted.includes(id)) continue
        ids.push((await createTour(api, { creation_method: 'import', tour: given, site_id: site })).id)
      }
      return ids
    },
    onDone: onImported,
  })
  if (tours.length === 0) return <FindingList findings={findings} none="The file contains no tour." />
  return (
    <>
      <Form
        submission={submission}
        submitLabel={wanted.length === 1 ? 'Import as a draft' : `Import ${countOf(wanted.length, 'draft')}`}
        failureSentence="Some tours were not imported."
        onCancel={onCancel}
      >
        <ChoiceList
          label="Tours in the file"
          choices={tours.map(({ id, label, steps }) => ({
            name: id,
            title: label,
            about: `${id}, ${countOf(steps, 'step')}`,
          }))}
          chosen={wanted}
          onChange={setWanted}
        />
        <SiteSelect label="Site" value={site} onChange={setSite} error={submission.problemOf('site_id')} />
      </Form>
      {losses.length === 0 ? null : (
        <DrawerSection title="Changed by the import">
          <FindingList findings={losses} none="" />
        </DrawerSection>
      )}
      {findings.length === 0 ? null : (
        <DrawerSection title="Recipe compatibility">
          <FindingList findings={findings} none="" />
        </DrawerSection>
      )}
    </>
  )
}

interface FileDropProps {
  readonly label: string
  /** The accepted file types, for the file dialog of the browser. */
  readonly accept: string
  readonly about: string
  readonly chosen: string | undefined
  readonly onFile: (file: File) => void
}

/** Accepts a chosen or dropped file. The button offers all that dropping does. */
function FileDrop({ label, accept, about, chosen, onFile }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  return (
    <div
      className={styles['drop']}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const file = event.dataTransfer.files[0]
        if (file !== undefined) onFile(file)
      }}
    >
      <IconFileImport size={24} stroke={1.5} aria-hidden />
      <p className={styles['name']}>{chosen ?? label}</p>
      <p className={styles['about']}>{about}</p>
      <Button size="compact-sm" variant="default" data-autofocus onClick={() => input.current?.click()}>
        {chosen === undefined ? 'Choose a file' : 'Choose another file'}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // Choosing the same file again must fire a change event: its content may have been fixed.
          currentTarget.value = ''
          if (file !== undefined) onFile(file)
        }}
      />
    </div>
  )
}

type GivenTour = NonNullable<NewTour['tour']>

/** The content of an import file: its tours, and the findings about its recipe. */
interface ImportFile {
  readonly tours: readonly {
    readonly id: string
    readonly label: string
    readonly steps: number
    readonly given: GivenTour
  }[]
  readonly findings: readonly Finding[]
  /** What the import drops or uses differently. */
  readonly losses: readonly Finding[]
}

/** The maximum request size of the server. */
const maxBytes = 740_000

/** Reads an import file. A file that is no recipe may be a tour, saved as an API response. */
async function readImportFile(api: Api, file: File): Promise<ImportFile> {
  if (file.size > maxBytes)
    throw new Error(
      `${file.name} is larger than ${maxBytes / 1000} KB. Import it with the command: npx tutti tours import.`,
    )
  const bytes = new Uint8Array(await file.arrayBuffer())
  const tour = readTour(bytes)
  if (tour !== undefined) {
    return {
      findings: [],
      losses: [],
      tours: [
        {
          id: textOf(tour['id']),
          label: textOf(tour['label']),
          steps: countEntries(tour['tips']),
          given: tour,
        },
      ],
    }
  }
  const { findings, tours, losses } = await tourAnswer(
    api.client.POST('/tours/recipes/check', { body: { recipe: encode(bytes) } }),
  )
  return {
    findings,
    losses,
    tours: tours.map((given) => ({
      id: given.id,
      label: given.label,
      steps: given.tips.length,
      given: { ...given },
    })),
  }
}

/** A tour as JSON, alone or inside an API response; undefined for all other content, recipes too. */
export function readTour(bytes: Uint8Array): Record<string, unknown> | undefined {
  if (bytes[0] !== 0x7b) return undefined
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (!isObject(value) || 'format' in value) return undefined
    return isObject(value['tour']) ? value['tour'] : value
  } catch {
    return undefined
  }
}

/** Encodes as Base64 in chunks: a call with a million arguments fails. */
export function encode(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function countEntries(value: unknown): number {
  return Array.isArray(value) ? value.length : 0
}
