import { Button } from '@mantine/core'
import IconFileImport from '@tabler/icons-react/dist/esm/icons/IconFileImport.mjs'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { ChoiceList } from '../../../parts/ChoiceList.tsx'
import { DrawerSection } from '../../../parts/DrawerSection.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Form } from '../../../parts/Form.tsx'
import { useSubmission } from '../../../parts/use-submission.ts'
import { FindingList } from '../export/FindingList.tsx'
import styles from './ImportTours.module.css'
import { type ImportFile, readImportFile } from './read-import-file.ts'
import { createTour } from './tour-calls.ts'
import { countOf } from './tour-words.ts'

interface ImportToursProps {
  readonly onCancel: () => void
  readonly onImported: (ids: readonly string[]) => Promise<void>
}

/** Imports tours from a file: it is inspected first, and imported only when the user confirms. */
export function ImportTours({ onCancel, onImported }: ImportToursProps) {
  const api = useApi()
  const { mutate, data, error, variables } = useMutation({
    mutationFn: (file: File) => readImportFile(api, file),
  })
  return (
    <div className={styles['import']}>
      <FileDrop
        label="Drop a recipe or a tour here"
        accept=".zip,.gz,.tgz,.json,application/zip,application/gzip,application/json"
        about="A recipe as zip, tar.gz or JSON, or a tour as JSON"
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

function Chosen({ file: { tours, findings }, onCancel, onImported }: ChosenProps) {
  const [wanted, setWanted] = useState(tours.map(({ id }) => id))
  const submission = useSubmission({
    fields: [],
    send: async (api) => {
      const ids: string[] = []
      for (const { id, given } of tours) {
        if (!wanted.includes(id)) continue
        ids.push((await createTour(api, { creation_method: 'import', tour: given })).id)
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
      </Form>
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
  /** What can be chosen, for the dialog of the browser. */
  readonly accept: string
  readonly about: string
  readonly chosen: string | undefined
  readonly onFile: (file: File) => void
}

/** Takes a file that is chosen or dropped. The button does all that dropping does. */
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
          // The same file again is a new choice: its content may have been fixed.
          currentTarget.value = ''
          if (file !== undefined) onFile(file)
        }}
      />
    </div>
  )
}
